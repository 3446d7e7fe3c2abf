import CSQLite
import CoreData

/// Disturbs one of the system calls that SQLite makes: the process ends there, or the call is interrupted.
///
/// SQLite's `unix` file system takes replacements for the calls that it makes; these count. The process ends before the
/// chosen call, after it, or, for a write, after half of it.
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

    /// What the system may do to a read or a write that does not fail.
    package enum Interruption: Sendable {
        /// A signal came first: nothing is done.
        case signal
        /// Half of it is done.
        case half
    }

    /// Interrupts the read or write at a call, counted from 1 from here on.
    package static func interrupt(at call: Int, _ interruption: Interruption) {
        (fatal, calls, self.interruption, wasInterrupted) = (call, 0, interruption, false)
        replace("pwrite", with: unsafeBitCast(writeAt, to: sqlite3_syscall_ptr.self))
        replace("pwrite64", with: unsafeBitCast(writeAt, to: sqlite3_syscall_ptr.self))
        replace("pread", with: unsafeBitCast(readAt, to: sqlite3_syscall_ptr.self))
        replace("pread64", with: unsafeBitCast(readAt, to: sqlite3_syscall_ptr.self))
    }

    /// Lets all calls pass; gives whether one was interrupted.
    package static func passAll() -> Bool {
        fatal = 0
        return wasInterrupted
    }

    private static func replace(_ name: String, with function: sqlite3_syscall_ptr) {
        guard let files = sqlite3_vfs_find(nil) else { return }
        _ = files.pointee.xSetSystemCall(files, name, function)
    }

    // The child has one thread that writes.
    nonisolated(unsafe) private static var fatal = 0
    nonisolated(unsafe) private static var calls = 0
    nonisolated(unsafe) private static var interruption: Interruption?
    nonisolated(unsafe) private static var wasInterrupted = false

    /// Whether the process is to end at this call.
    private static func isFatal() -> Bool {
        calls += 1
        return calls == fatal
    }

    private static func end() { raise(SIGKILL) }

    /// Half of a write, all of it, or nothing, and the end.
    private static func ending(_ count: Int, _ write: (Int) -> Int) -> Int {
        guard isFatal() else { return write(count) }
        if let interruption { return interrupted(interruption, count, write) }
        let moments = [0, count, count / 2]
        let result = write(moments[fatal % 3])
        end()
        return result
    }

    private static func interrupted(_ interruption: Interruption, _ count: Int, _ call: (Int) -> Int) -> Int {
        wasInterrupted = true
        if interruption == .half { return call((count + 1) / 2) }
        errno = EINTR
        return -1
    }

    private static let readAt: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
        file, bytes, count, offset in ending(count) { pread(file, bytes, $0, offset) }
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
