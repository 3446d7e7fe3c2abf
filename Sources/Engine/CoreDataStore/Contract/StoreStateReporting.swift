import CoreDataModeling

/// Reports whether a store is unchanged, also since an earlier run of the program and after changes by others;
/// implemented by stores that can.
package protocol StoreStateReporting: AnyObject {
    /// A text that differs after every change of the store; nil if this cannot be guaranteed at the moment.
    func presentState() throws -> String?
}
