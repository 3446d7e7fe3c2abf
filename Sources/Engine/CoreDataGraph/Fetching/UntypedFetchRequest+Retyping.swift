import CoreDataStore

extension UntypedFetchRequest {
    /// The request with another type of results, in place of the cast in code for Apple's systems.
    ///
    /// There `request as! NSFetchRequest<Person>` always succeeds, since Objective-C erases the type; here the types
    /// are different classes, so `as!` stops the process and `as?` returns nil. Returns the request itself if it has
    /// the type already, or else a plain `NSFetchRequest` with a copy of the settings: later changes affect only one of
    /// the two. A fetch whose results have another type throws.
    public func retyped<Other: NSFetchRequestResult>(as type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        // Compares the class first, since the cast does not support the protocol itself as the type of results.
        if Swift.type(of: self) == NSFetchRequest<Other>.self {
            return unsafeDowncast(self, to: NSFetchRequest<Other>.self)
        }
        if let request = self as? NSFetchRequest<Other> { return request }
        let request = NSFetchRequest<Other>()
        copyValues(to: request)
        return request
    }
}
