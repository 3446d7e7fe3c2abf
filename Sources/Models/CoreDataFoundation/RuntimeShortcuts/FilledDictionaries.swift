extension NSDictionary {
    static let form = ObjectForm<[NSObject: AnyObject]>(of: NSDictionary.self, like: NSDictionary())

    /// The dictionary with the content of Swift's one, which it shares. The keys are ones that never change.
    package static func holding(_ storage: consuming [NSObject: AnyObject]) -> NSDictionary {
        guard let form else { return filled(storage) }
        return form.object(storage, as: NSDictionary.self)
    }

    /// The plain path: a dictionary that Foundation fills.
    static func filled(_ storage: [NSObject: AnyObject]) -> NSDictionary {
        NSDictionary(objects: Array(storage.values), forKeys: Array(storage.keys), count: storage.count)
    }
}
