/// Finding out whether a store answers; see `ObjectStore.healthProbing`.
///
/// May be used from any thread, also while another one holds the store.
package protocol HealthProbing: AnyObject, Sendable {
    /// Sends a request to the file or the server; returns once it has answered.
    ///
    /// Waits no longer than `limit` where it can give up. A disk or a server that hangs may block it for longer.
    /// - Throws: an error of `NSCocoaErrorDomain` stating why the store does not answer.
    func probe(within limit: Duration) throws
}

/// Writing what a store keeps beside its file into the file; for stores that have a log.
package protocol Checkpointing: AnyObject {
    /// Moves into the file what no reader needs in the log; does not wait for readers.
    func checkpoint() throws
}
