import CoreDataModeling
import Synchronization

/// The socket through which a process lets other processes of the same user record it.
enum InstrumentSocket {
    private static let offered = Mutex(false)
    /// How many times the process tries to start a recording for a client before it refuses the client.
    private static let tries = 20

    /// Creates the socket and serves its clients on a separate thread; see `CoreDataInstruments.offer()`.
    static func offer() throws {
        try offered.withLock { isOffered in
            guard !isOffered else { return }
            guard let folder = InstrumentFolder.url else {
                throw CoreDataError.make(
                    NSCoreDataError, "The process is not offered to instruments, since XDG_RUNTIME_DIR is not set.",
                    hint: "Set it to a folder that belongs to this user alone, or record into a file.")
            }
            try InstrumentFolder.make(folder)
            let listener = try listening(at: InstrumentFolder.socket(of: getpid(), in: folder))
            isOffered = true
            Thread.detachNewThread { serve(listener) }
        }
    }

    private static func listening(at url: URL) throws -> Int32 {
        guard let listener = LocalSocket.make() else { throw InstrumentFolder.failure(url, "there is no socket") }
        // The name contains this process's number: a file with this name was left by an ended process with the same
        // number.
        _ = unlink(url.path)
        // Until `chmod` restricts the socket to its owner, the folder keeps other users out.
        let bound = LocalSocket.withAddress(of: url.path) { bind(listener, $0, $1) }
        guard bound == 0, chmod(url.path, 0o600) == 0, listen(listener, 4) == 0 else {
            let reason = bound == nil ? "the path is too long for a socket" : String(cString: strerror(errno))
            _ = closeDescriptor(listener)
            throw InstrumentFolder.failure(url, reason)
        }
        atexit { InstrumentSocket.removeOwn() }
        return listener
    }

    /// Removes the socket when the process exits. The socket of a process that is killed stays, until a program that
    /// lists processes removes it.
    private static func removeOwn() {
        guard let folder = InstrumentFolder.url else { return }
        _ = unlink(InstrumentFolder.socket(of: getpid(), in: folder).path)
    }

    private static func serve(_ listener: Int32) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                guard errno == EINTR || errno == ECONNABORTED || errno == EMFILE else { return }
                Thread.sleep(forTimeInterval: 0.1)
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            guard LocalSocket.isOfThisUser(client) else {
                _ = closeDescriptor(client)
                continue
            }
            answer(client)
        }
    }

    private static func answer(_ client: Int32) {
        let trace = SocketTrace(client)
        let includesValues = LaunchSettings.text("OPENCOREDATA_INSTRUMENTS_VALUES").map { ($0 as NSString).boolValue }
        let options = InstrumentOptions(includesValues: includesValues ?? false)
        // The end of a previous client's recording is noticed only with the next write to it, within some hundredths of
        // a second.
        for _ in 0..<tries {
            if InstrumentRecorder.start(trace, options: options) { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        let reason = Array("the process is being recorded already".utf8)
        _ = trace.write(TraceFormat.header + TraceFormat.block(.refusal, reason))
        trace.close()
    }

    static func closeDescriptor(_ number: Int32) -> Int32 { close(number) }
}
