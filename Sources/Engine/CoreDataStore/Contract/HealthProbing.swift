/// Checks whether a store answers; see `ObjectStore.healthProbing`.
///
/// May be used from any thread, also while another thread uses the store.
package protocol HealthProbing: AnyObject, Sendable {
    /// Sends a request to the file or the server; returns once it has answered.
    ///
    /// Gives up after `limit` where the waiting can be interrupted. A disk or a server that hangs may block it for
    /// longer.
    /// - Throws: an error of `NSCocoaErrorDomain` stating why the store does not answer.
    func probe(within limit: Duration) throws
}

/// Copies the write-ahead log of a store into its main file; implemented by stores that have such a log.
package protocol Checkpointing: AnyObject {
    /// Copies the pages of the log that no reader still needs there into the main file; does not wait for readers.
    func checkpoint() throws
}
