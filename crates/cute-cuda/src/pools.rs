//! Pools of memory, by the handles that programs have: what was allocated from each.

use std::collections::BTreeMap;

use crate::error::{Error, Result};

/// `cudaMemLocation`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    /// 1 for a device.
    pub kind: i32,
    /// The number of the device.
    pub number: i32,
}

impl Location {
    /// Whether it is the device.
    ///
    /// # Errors
    /// [`Error::INVALID_DEVICE`] for other devices, and [`Error::NOT_SUPPORTED`] for memory of the
    /// host.
    pub fn check(self) -> Result<()> {
        match self.kind {
            1 if self.number == 0 => Ok(()),
            1 => Err(Error::INVALID_DEVICE),
            2..=4 => Err(Error::NOT_SUPPORTED),
            _ => Err(Error::INVALID_VALUE),
        }
    }
}

/// A pool.
#[derive(Debug, Clone, Default)]
struct Pool {
    /// The most bytes, or 0.
    most: u64,
    /// Bytes that are allocated now, and the most so far.
    used: u64,
    high: u64,
    /// The attributes that can be set: three about the reuse of memory, and the bytes that are
    /// kept. They change no result.
    set: [u64; 4],
}

/// The pools of the process.
#[derive(Debug)]
pub struct Pools {
    all: BTreeMap<usize, Pool>,
    /// The pool and the bytes of an allocation, by its address.
    allocated: BTreeMap<u64, (usize, u64)>,
    current: usize,
    last: usize,
}

impl Default for Pools {
    fn default() -> Self {
        let all = BTreeMap::from([(Self::DEFAULT, Pool::new(0))]);
        Self { all, allocated: BTreeMap::new(), current: Self::DEFAULT, last: Self::DEFAULT }
    }
}

impl Pool {
    fn new(most: u64) -> Self {
        Self { most, set: [1, 1, 1, 0], ..Self::default() }
    }
}

impl Pools {
    /// The handle of the default pool. Others are multiples of 16 behind it, up to those of
    /// modules.
    pub const DEFAULT: usize = 0x1_0030;

    /// A new pool of at most some bytes, or of any number if that is 0.
    pub fn create(&mut self, most: u64) -> usize {
        self.last += 16;
        self.all.insert(self.last, Pool::new(most));
        self.last
    }

    fn get(&mut self, pool: usize) -> Result<&mut Pool> {
        self.all.get_mut(&pool).ok_or(Error::INVALID_VALUE)
    }

    /// Whether there is such a pool.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn check(&mut self, pool: usize) -> Result<()> {
        self.get(pool).map(|_| ())
    }

    /// Forgets a pool, whose memory stays until it is freed.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn destroy(&mut self, pool: usize) -> Result<()> {
        if pool == Self::DEFAULT {
            return Err(Error::INVALID_VALUE);
        }
        self.all.remove(&pool).ok_or(Error::INVALID_VALUE)?;
        if self.current == pool {
            self.current = Self::DEFAULT;
        }
        Ok(())
    }

    /// The pool of allocations that name none.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Sets [`Self::current`].
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn set_current(&mut self, pool: usize) -> Result<()> {
        self.check(pool)?;
        self.current = pool;
        Ok(())
    }

    /// An attribute: those that can be set from 1 on, then the bytes that are reserved and used,
    /// now and at most.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn attribute(&mut self, pool: usize, attribute: i32) -> Result<u64> {
        let pool = self.get(pool)?;
        match attribute {
            1..=4 => Ok(pool.set[attribute as usize - 1]),
            5 | 7 => Ok(pool.used),
            6 | 8 => Ok(pool.high),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    /// Sets an attribute. The most bytes so far can be set to 0.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn set_attribute(&mut self, pool: usize, attribute: i32, value: u64) -> Result<()> {
        let pool = self.get(pool)?;
        match attribute {
            1..=4 => pool.set[attribute as usize - 1] = value,
            6 | 8 if value == 0 => pool.high = pool.used,
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(())
    }

    /// Whether a pool has this number of bytes left.
    ///
    /// # Errors
    /// [`Error::OUT_OF_MEMORY`], and [`Error::INVALID_VALUE`] if there is no such pool.
    pub fn has(&mut self, pool: usize, bytes: u64) -> Result<()> {
        let pool = self.get(pool)?;
        let is_over = pool.most > 0 && pool.used.saturating_add(bytes) > pool.most;
        if is_over { Err(Error::OUT_OF_MEMORY) } else { Ok(()) }
    }

    /// Counts an allocation.
    pub fn add(&mut self, pool: usize, address: u64, bytes: u64) {
        if let Some(own) = self.all.get_mut(&pool) {
            own.used += bytes;
            own.high = own.high.max(own.used);
            self.allocated.insert(address, (pool, bytes));
        }
    }

    /// The pool of an allocation, or 0.
    pub fn of(&self, address: u64) -> usize {
        self.allocated.get(&address).map_or(0, |(pool, _)| *pool)
    }

    /// An allocation has been freed.
    pub fn remove(&mut self, address: u64) {
        if let Some((pool, bytes)) = self.allocated.remove(&address)
            && let Some(own) = self.all.get_mut(&pool)
        {
            own.used -= bytes;
        }
    }
}
