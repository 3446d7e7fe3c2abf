import CSQLite

extension Connection {
    /// The greatest cost of each execution of a statement; nil for no limit.
    package var executionLimit: ExecutionLimit? {
        get { guardian?.limit }
        set {
            guard let handle else { return }
            guardian = newValue.map(ExecutionGuard.init)
            guard let guardian else { return sqlite3_progress_handler(handle, 0, nil, nil) }
            let context = Unmanaged.passUnretained(guardian).toOpaque()
            sqlite3_progress_handler(handle, ExecutionGuard.interval, { mustStop(context: $0) }, context)
        }
    }
}

private func mustStop(context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<ExecutionGuard>.fromOpaque(context).takeUnretainedValue().mustStop() ? 1 : 0
}
