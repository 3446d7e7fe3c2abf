@_spi(Reflection) import Swift

/// Where a class of open-source Foundation keeps what its objects hold: the stored property `_storage`.
///
/// Foundation fills its collections element by element, with a hash, a cast and a copy for each. What is there as
/// Swift's collection already is put in its place as a whole instead. Where that place is, the description of the
/// class says that the compiler made for the runtime.
struct StorageField<Storage> {
    private let offset: Int

    /// Nil unless the class itself has such a property of exactly this type.
    init?(of type: AnyClass) {
        var found: Int?
        let isClass = _EachFieldOptions(rawValue: 1)
        _forEachField(of: type, options: isClass) { name, offset, fieldType, _ in
            if String(cString: name) == "_storage", fieldType == Storage.self { found = offset }
            return true
        }
        guard let found else { return nil }
        offset = found
    }

    /// Replaces what an object holds that nobody else knows of yet.
    func fill(_ object: AnyObject, with storage: consuming Storage) {
        let place = Unmanaged.passUnretained(object).toOpaque() + offset
        place.assumingMemoryBound(to: Storage.self).pointee = storage
    }
}

extension NSDictionary {
    static let storageField = StorageField<[NSObject: AnyObject]>(of: NSDictionary.self)

    /// The dictionary with the content of Swift's one, which it shares. The keys are ones that never change.
    package static func holding(_ storage: consuming [NSObject: AnyObject]) -> NSDictionary {
        guard let storageField else {
            return NSDictionary(objects: Array(storage.values), forKeys: Array(storage.keys), count: storage.count)
        }
        let dictionary = NSDictionary(objects: nil, forKeys: nil, count: 0)
        storageField.fill(dictionary, with: storage)
        return dictionary
    }
}

extension NSSet {
    static let storageField = StorageField<Set<NSObject>>(of: NSSet.self)

    /// The set with the content of Swift's one, which it shares.
    package static func holding(_ storage: consuming Set<NSObject>) -> NSSet {
        guard let storageField else { return NSSet(objects: storage.map { $0 as AnyObject }, count: storage.count) }
        let set = NSSet(objects: nil, count: 0)
        storageField.fill(set, with: storage)
        return set
    }
}
