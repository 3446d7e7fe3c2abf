import CSQLite
import CoreData

/// Kills the process at one of the writing system calls that SQLite makes.
///
/// SQLite's `unix` file system takes replacements for the calls that it makes; these count, and at the chosen one the
/// process ends before the call, after it, or, for a write, after half of it.
package enum SystemCalls {
    /// Ends the process at a call, counted from 1; the rest of the division by three is the moment.
    package static func kill(at call: Int) {
        fatal = call
        replace("write", with: unsafeBitCast(writeNext, to: sqlite3_syscall_ptr.self))
        replace("pwrite", with: unsafeBitCast(writeAt, to: sqlite3_syscall_ptr.self))
        replace("pwrite64", with: unsafeBitCast(writeAt, to: sqlite3_syscall_ptr.self))
        replace("ftruncate", with: unsafeBitCast(truncate, to: sqlite3_syscall_ptr.self))
        replace("unlink", with: unsafeBitCast(remove, to: sqlite3_syscall_ptr.self))
    }

    private static func replace(_ name: String, with function: sqlite3_syscall_ptr) {
        guard let files = sqlite3_vfs_find(nil) else { return }
        _ = files.pointee.xSetSystemCall(files, name, function)
    }

    // The child has one thread that writes.
    nonisolated(unsafe) private static var fatal = 0
    nonisolated(unsafe) private static var calls = 0

    /// Whether the process is to end at this call.
    private static func isFatal() -> Bool {
        calls += 1
        return calls == fatal
    }

    private static func end() { raise(SIGKILL) }

    /// Half of a write, all of it, or nothing, and the end.
    private static func ending(_ count: Int, _ write: (Int) -> Int) -> Int {
        guard isFatal() else { return write(count) }
        let moments = [0, count, count / 2]
        let result = write(moments[fatal % 3])
        end()
        return result
    }

    private static let writeNext: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { file, bytes, count in
        ending(count) { write(file, bytes, $0) }
    }

    private static let writeAt: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
        file, bytes, count, offset in ending(count) { pwrite(file, bytes, $0, offset) }
    }

    private static let truncate: @convention(c) (Int32, off_t) -> Int32 = { file, length in
        guard isFatal() else { return ftruncate(file, length) }
        if fatal % 2 == 0 { _ = ftruncate(file, length) }
        end()
        return -1
    }

    private static let remove: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { path in
        guard let path else { return -1 }
        guard isFatal() else { return unlink(path) }
        if fatal % 2 == 0 { _ = unlink(path) }
        end()
        return -1
    }
}
