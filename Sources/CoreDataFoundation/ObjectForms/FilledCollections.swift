extension NSDictionary {
    static let form = ObjectForm<[NSObject: AnyObject]>(of: NSDictionary.self, like: NSDictionary())

    /// The dictionary with the content of Swift's one, which it shares. The keys are ones that never change.
    package static func holding(_ storage: consuming [NSObject: AnyObject]) -> NSDictionary {
        guard let form else {
            return NSDictionary(objects: Array(storage.values), forKeys: Array(storage.keys), count: storage.count)
        }
        return form.object(storage, as: NSDictionary.self)
    }
}

extension NSSet {
    static let form = ObjectForm<Set<NSObject>>(of: NSSet.self, like: NSSet())

    /// The set with the content of Swift's one, which it shares.
    package static func holding(_ storage: consuming Set<NSObject>) -> NSSet {
        guard let form else { return NSSet(objects: storage.map { $0 as AnyObject }, count: storage.count) }
        return form.object(storage, as: NSSet.self)
    }
}
