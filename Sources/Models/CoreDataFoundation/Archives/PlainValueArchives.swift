/// Whether an archive can be decoded by recursion: it nests at most 256 deep, has no cycles and only the listed
/// classes.
///
/// Foundation's plain value classes need not be listed. False for bytes that are not a keyed archive.
package func isAcyclicArchive(_ data: Data, allowing names: Set<String> = []) -> Bool {
    let limits = PropertyListLimits()
    guard let archive = try? KeyedArchive(data, limits: limits) else { return false }
    return (try? ArchiveValidation(archive, allowing: names, limits: limits)) != nil
}

/// Proves that an archive can be decoded by recursion: it nests at most 256 deep and has no cycles; any class may
/// occur.
///
/// Returns the names of all classes in it.
/// - Throws: `ArchiveError`: `.cycle`, `.limitExceeded`, `.malformed`, `.unsupportedForm`.
package func proveAcyclicArchive(_ data: Data) throws -> Set<String> {
    let limits = PropertyListLimits()
    return try ArchiveValidation(KeyedArchive(data, limits: limits), allowing: nil, limits: limits).classes
}

/// Decodes an archive of Foundation's plain values: `NSArray`, `NSDictionary`, `NSSet`, `NSString`, `NSNumber`,
/// `NSDate`, `NSData`, `NSURL`, `NSUUID`, `NSNull`.
///
/// If the archive also contains objects of the listed classes, `NSKeyedUnarchiver` decodes the whole archive after its
/// classes, depth and cycles have been checked.
/// - Throws: `ArchiveError`: `.unexpectedClass`, `.cycle`, `.limitExceeded`, `.malformed`; an error of
///   `NSKeyedUnarchiver`.
package func decodeArchive(_ data: Data, allowing names: Set<String>) throws -> Any? {
    let limits = PropertyListLimits()
    let archive = try KeyedArchive(data, limits: limits)
    let proof = try ArchiveValidation(archive, allowing: names, limits: limits)
    guard proof.furtherClasses.isEmpty else { return try decodeListedClasses(data) }
    return try ArchiveDecoder(archive: archive).decode(archive.root)
}

private func decodeListedClasses(_ data: Data) throws -> Any? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    defer { unarchiver.finishDecoding() }
    let value = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
    if let error = unarchiver.error { throw error }
    return value
}

/// Builds Foundation's values out of an archive that has been proved acyclic and shallow.
private struct ArchiveDecoder {
    let archive: KeyedArchive

    func decode(_ value: PropertyList) throws -> NSObject? {
        switch archive.resolve(value) {
        case .null: nil
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .string(let text): text as NSString as NSObject
        case .data(let bytes): NSData(data: bytes)
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case .dictionary: try archive.object(value).flatMap(instance)
        case .uid, .array, .set: throw ArchiveError(.malformed, "the archive's root is no object")
        }
    }

    private func instance(_ object: KeyedArchive.Object) throws -> NSObject? {
        let fields = object.fields
        switch object.className {
        case "NSArray", "NSMutableArray": return NSArray(array: try elements(fields["NS.objects"]))
        case "NSSet", "NSMutableSet": return NSSet(array: try elements(fields["NS.objects"]))
        case "NSOrderedSet", "NSMutableOrderedSet": return NSOrderedSet(array: try elements(fields["NS.objects"]))
        case "NSDictionary", "NSMutableDictionary": return try dictionary(fields)
        case "NSString", "NSMutableString":
            return archive.resolve(fields["NS.string"]).string.map(NSString.init(string:))
        case "NSData", "NSMutableData": return archive.resolve(fields["NS.data"]).data.map(NSData.init(data:))
        case "NSDate": return date(fields["NS.time"])
        case "NSURL": return try url(fields)
        case "NSUUID": return uuid(fields)
        case "NSNull": return NSNull()
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            return archive.decimal(object).map(NSDecimalNumber.init(decimal:))
        default: throw ArchiveError(.unexpectedClass, "the archive holds an object of class '\(object.className)'")
        }
    }

    private func elements(_ value: PropertyList?) throws -> [NSObject] {
        guard let values = value?.array else { throw ArchiveError(.malformed, "a collection has no elements") }
        return try values.map { try decode($0) ?? NSNull() }
    }

    private func dictionary(_ fields: [String: PropertyList]) throws -> NSObject {
        let keys = try elements(fields["NS.keys"])
        let values = try elements(fields["NS.objects"])
        guard keys.count == values.count else { throw ArchiveError(.malformed, "a dictionary lacks keys or values") }
        let result = NSMutableDictionary(capacity: keys.count)
        for (key, value) in zip(keys, values) { result[key] = value }
        return result
    }

    private func date(_ value: PropertyList?) -> NSObject? {
        switch archive.resolve(value) {
        case .real(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds): NSDate(timeIntervalSinceReferenceDate: Double(seconds))
        default: nil
        }
    }

    private func url(_ fields: [String: PropertyList]) throws -> NSObject? {
        guard let text = archive.string(fields["NS.relative"]) else { return nil }
        let base = try fields["NS.base"].flatMap(decode) as? NSURL
        return NSURL(string: text, relativeTo: base as URL?)
    }

    private func uuid(_ fields: [String: PropertyList]) -> NSObject? {
        guard let bytes = archive.resolve(fields["NS.uuidbytes"]).data, bytes.count == 16 else { return nil }
        return [UInt8](bytes).withUnsafeBufferPointer { $0.baseAddress.map(NSUUID.init(uuidBytes:)) }
    }
}
