import CoreDataStore

extension UntypedFetchRequest {
    /// The request with another type of results, where code for Apple's systems casts it.
    ///
    /// There `request as! NSFetchRequest<Person>` always succeeds, since Objective-C erases the type; here it distinguishes
    /// classes, so that the cast stops the process and `as?` gives nil. Returns the request itself if it has the type already,
    /// or else a plain `NSFetchRequest` with a copy of the settings: later changes affect only one of the two.
    /// A fetch whose results have another type throws.
    public func retyped<Other: NSFetchRequestResult>(as type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        // The class is compared before the cast, which does not support the protocol itself as the type of results.
        if Swift.type(of: self) == NSFetchRequest<Other>.self {
            return unsafeDowncast(self, to: NSFetchRequest<Other>.self)
        }
        if let request = self as? NSFetchRequest<Other> { return request }
        let request = NSFetchRequest<Other>()
        copyValues(to: request)
        return request
    }
}
