extension NSDictionary {
    static let form = ObjectForm<[NSObject: AnyObject]>(of: NSDictionary.self, like: NSDictionary())

    /// Makes a dictionary that shares the storage of a Swift dictionary; its keys must be immutable.
    package static func holding(_ storage: consuming [NSObject: AnyObject]) -> NSDictionary {
        guard let form else { return filled(storage) }
        return form.object(storage, as: NSDictionary.self)
    }

    /// The fallback: a dictionary that Foundation fills.
    static func filled(_ storage: [NSObject: AnyObject]) -> NSDictionary {
        NSDictionary(objects: Array(storage.values), forKeys: Array(storage.keys), count: storage.count)
    }
}
