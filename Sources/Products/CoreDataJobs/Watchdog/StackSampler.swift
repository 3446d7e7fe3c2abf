import Foundation
import LockKit

/// Reads the stack of the main thread from another one: a signal makes the main thread write its return addresses down.
///
/// What the handler of the signal does is safe in one: `backtrace` of the C library, which has been called before so that it has
/// loaded what it needs, and `sem_post`. Names are looked up afterwards, on the thread that asks. A signal ends some waits of the
/// system early (`usleep`, `poll`), as any signal may; it is sent once for each block.
final class StackSampler: Sendable {
    /// What the handler and the asking thread share. It stays for the life of the process: a signal may come late.
    struct Memory {
        var wanted = sem_t()
        var count: Int32 = 0
        let addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        let backtrace: Backtrace
    }

    typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int32) -> Int32
    private typealias Symbols =
        @convention(c) (UnsafePointer<UnsafeMutableRawPointer?>?, Int32) ->
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    static let depth: Int32 = 128

    /// The one of the process: a handler of a signal is for all of it. nil where the C library has no `backtrace`, or the signal is taken.
    static let shared = StackSampler()

    private let mainThread: pthread_t
    private let signal: Int32
    /// Whether a signal has not been answered: then its handler may still come, and no other is sent.
    private let isBroken = Locked(false)

    /// Installs the handler, after `noteMainThread()`.
    private init?() {
        guard let memory = sharedMemory, let thread = Self.knownMainThread.withLock({ $0 }) else { return nil }
        mainThread = thread
        signal = Self.signalNumber
        var before = sigaction()
        guard sigaction(signal, nil, &before) == 0, before.__sigaction_handler.sa_handler == nil else { return nil }
        // The first call loads libgcc, which is not for a handler, nor is the first touch of a global.
        _ = memory.pointee.backtrace(memory.pointee.addresses, Self.depth)
        recordStack(signal)
        while sem_trywait(&memory.pointee.wanted) == 0 {}
        var action = sigaction()
        action.__sigaction_handler.sa_handler = recordStack
        action.sa_flags = SA_RESTART | SA_ONSTACK
        guard sigaction(signal, &action, nil) == 0 else { return nil }
    }

    private static let knownMainThread = Locked<pthread_t?>(nil)

    /// Notes the main thread, and lets the signal through to it; to be called there.
    ///
    /// A process that was started by a thread of Dispatch begins with the signals blocked that such threads block.
    static func noteMainThread() {
        knownMainThread.withLock { $0 = pthread_self() }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signalNumber)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// One of the signals that are free for programs (`SIGRTMIN` and above), away from those that others take first.
    private static var signalNumber: Int32 { __libc_current_sigrtmax() - 5 }

    /// The functions that the main thread is in, the innermost first; empty if it does not answer within half a second.
    func stack() -> [String] {
        isBroken.withLock { isBroken in
            guard !isBroken, let memory = sharedMemory, pthread_kill(mainThread, signal) == 0 else { return [] }
            var limit = timespec()
            clock_gettime(CLOCK_REALTIME, &limit)
            limit.tv_nsec += 500_000_000
            if limit.tv_nsec >= 1_000_000_000 {
                (limit.tv_sec, limit.tv_nsec) = (limit.tv_sec + 1, limit.tv_nsec - 1_000_000_000)
            }
            while sem_timedwait(&memory.pointee.wanted, &limit) != 0 {
                guard errno == EINTR else {
                    isBroken = true
                    return []
                }
            }
            return Self.names(memory.pointee.addresses, memory.pointee.count)
        }
    }

    private static func names(_ addresses: UnsafePointer<UnsafeMutableRawPointer?>, _ count: Int32) -> [String] {
        guard count > 0, let function = dlsym(nil, "backtrace_symbols") else { return [] }
        guard let symbols = unsafeBitCast(function, to: Symbols.self)(addresses, count) else { return [] }
        defer { free(symbols) }
        let lines = (0..<Int(count)).map { symbols[$0].map { String(cString: $0) } ?? "" }
        // The handler itself, and what the system calls it by.
        let caller = lines.prefix(4).firstIndex { $0.contains("libc.so") && !$0.contains("backtrace") }
        return lines.dropFirst(caller.map { $0 + 1 } ?? 0).map(FrameName.readable)
    }
}

/// The memory that the handler reads without a lock; a constant, since a handler must not run what makes one.
nonisolated(unsafe) private let sharedMemory: UnsafeMutablePointer<StackSampler.Memory>? = {
    guard let function = dlsym(nil, "backtrace") else { return nil }
    let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Int(StackSampler.depth))
    addresses.initialize(repeating: nil, count: Int(StackSampler.depth))
    let memory = UnsafeMutablePointer<StackSampler.Memory>.allocate(capacity: 1)
    memory.initialize(
        to: StackSampler.Memory(
            addresses: addresses, backtrace: unsafeBitCast(function, to: StackSampler.Backtrace.self)))
    guard sem_init(&memory.pointee.wanted, 0, 0) == 0 else { return nil }
    return memory
}()

/// The handler of the signal.
private func recordStack(_: Int32) {
    guard let memory = sharedMemory else { return }
    let number = errno
    memory.pointee.count = memory.pointee.backtrace(memory.pointee.addresses, StackSampler.depth)
    sem_post(&memory.pointee.wanted)
    errno = number
}
