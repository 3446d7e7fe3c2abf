import CoreDataModeling

/// Reporting whether a store is as it was, also between runs of the program and after changes by others; for stores that
/// can.
package protocol StoreStateReporting: AnyObject {
    /// A text that is another after any change of the store; nil where that cannot be determined for certain at the moment.
    func presentState() throws -> String?
}
