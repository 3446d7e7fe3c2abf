#include "CFaultVFS.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

#include "UnsyncedWrites.h"

static struct {
    int calls;
    int64_t remaining;
    int code;
    int lasting;
    int has_failed;
} plan;

void fault_vfs_arm(int calls, int64_t n, int code, int lasting) {
    plan.calls = calls;
    plan.remaining = n;
    plan.code = code;
    plan.lasting = lasting;
    plan.has_failed = 0;
}

int fault_vfs_disarm(void) {
    plan.calls = 0;
    return plan.has_failed;
}

/// The code that a call is to return instead of being passed on; 0 for one that passes.
static int fault(int call) {
    if ((plan.calls & call) == 0) return SQLITE_OK;
    if (plan.remaining > 1) {
        plan.remaining--;
        return SQLITE_OK;
    }
    if (plan.has_failed && !plan.lasting) return SQLITE_OK;
    plan.has_failed = 1;
    return plan.code;
}

/// An open file: ours, followed in memory by the platform's.
typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    /// The name, which SQLite keeps as long as the file is open; NULL for a temporary file.
    const char *path;
} fault_file;

static sqlite3_file *real(sqlite3_file *file) { return ((fault_file *)file)->real; }

static const char *path(sqlite3_file *file) { return ((fault_file *)file)->path; }

static int fault_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = fault(FAULT_READ);
    return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

/// A write that fails has written its first half, as one on a full disk may have.
static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = fault(FAULT_WRITE);
    if (unsynced_is_watching()) {
        if (code) return code;
        unsynced_note_write(path(file), real(file), bytes, count, offset);
    }
    if (code == SQLITE_OK) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    return code;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = fault(FAULT_TRUNCATE);
    if (code == SQLITE_OK && unsynced_is_watching()) unsynced_note_size(path(file), real(file), size);
    return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}

static int fault_sync(sqlite3_file *file, int flags) {
    int code = fault(FAULT_SYNC);
    if (code) return code;
    // The bytes are in the file already; only that they count as written is what a loss of power asks.
    if (unsynced_is_watching()) unsynced_forget(path(file));
    return real(file)->pMethods->xSync(real(file), flags);
}

static int fault_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
    int code = fault(FAULT_LOCK);
    return code ? code : real(file)->pMethods->xLock(real(file), level);
}

static int fault_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int fault_check_reserved_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int fault_file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int fault_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int fault_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int fault_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    int code = fault(FAULT_SHARED_MEMORY);
    return code ? code : real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    // Giving a lock back always succeeds, as the platform's does.
    int code = flags & SQLITE_SHM_UNLOCK ? SQLITE_OK : fault(FAULT_LOCK);
    return code ? code : real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int fault_shm_unmap(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_file_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_check_reserved_lock,
    .xFileControl = fault_file_control,
    .xSectorSize = fault_sector_size,
    .xDeviceCharacteristics = fault_characteristics,
    .xShmMap = fault_shm_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_shm_barrier,
    .xShmUnmap = fault_shm_unmap,
};

static sqlite3_vfs *platform(sqlite3_vfs *vfs) { return (sqlite3_vfs *)vfs->pAppData; }

static int fault_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    fault_file *opened = (fault_file *)file;
    opened->base.pMethods = NULL;
    opened->real = (sqlite3_file *)(opened + 1);
    opened->path = name;
    int code = fault(FAULT_OPEN);
    if (code) return code;
    code = platform(vfs)->xOpen(platform(vfs), name, opened->real, flags, out_flags);
    // SQLite closes a file that could not be opened if it has methods.
    if (opened->real->pMethods) opened->base.pMethods = &methods;
    return code;
}

static int fault_delete(sqlite3_vfs *vfs, const char *name, int synchronises) {
    int code = fault(FAULT_DELETE);
    return code ? code : platform(vfs)->xDelete(platform(vfs), name, synchronises);
}

int fault_vfs_register(void) {
    static sqlite3_vfs vfs;
    if (sqlite3_vfs_find(FAULT_VFS_NAME)) return SQLITE_OK;
    sqlite3_vfs *original = sqlite3_vfs_find(NULL);
    if (!original) return SQLITE_NOTFOUND;
    // All but opening and deleting goes straight to the platform's functions, which do not look at which file system calls them.
    vfs = *original;
    vfs.zName = FAULT_VFS_NAME;
    vfs.pNext = NULL;
    vfs.szOsFile = (int)sizeof(fault_file) + original->szOsFile;
    vfs.pAppData = original;
    vfs.xOpen = fault_open;
    vfs.xDelete = fault_delete;
    return sqlite3_vfs_register(&vfs, 0);
}

int fault_vfs_register_for_all(void) {
    int code = fault_vfs_register();
    return code ? code : sqlite3_vfs_register(sqlite3_vfs_find(FAULT_VFS_NAME), 1);
}
