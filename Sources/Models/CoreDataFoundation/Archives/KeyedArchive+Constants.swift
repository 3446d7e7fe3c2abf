/// Decodes the constants that models and predicates contain.
extension KeyedArchive {
    /// A number, text, date, data, URL or UUID; nil for anything else.
    package func plainValue(_ value: PropertyList?) -> Any? {
        switch resolve(value) {
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .string(let text): text
        case .data(let data): data
        case .date(let date): date
        case .dictionary: object(value).flatMap(plainObject)
        case .null, .uid, .array, .set: nil
        }
    }

    private func plainObject(_ object: Object) -> Any? {
        switch object.className {
        case "NSMutableString", "NSString": resolve(object.fields["NS.string"]).string
        case "NSDate": seconds(object.fields["NS.time"]).map(Date.init(timeIntervalSinceReferenceDate:))
        case "NSMutableData", "NSData": resolve(object.fields["NS.data"]).data
        case "NSURL": string(object.fields["NS.relative"]).flatMap(URL.init(string:))
        case "NSUUID": uuid(object.fields["NS.uuidbytes"])
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": decimal(object).map(NSDecimalNumber.init(decimal:))
        default: nil
        }
    }

    private func seconds(_ value: PropertyList?) -> Double? {
        switch resolve(value) {
        case .real(let seconds): seconds
        case .integer(let seconds): Double(seconds)
        default: nil
        }
    }

    private func uuid(_ value: PropertyList?) -> UUID? {
        guard let bytes = resolve(value).data, bytes.count == 16 else { return nil }
        return [UInt8](bytes).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { NSUUID(uuidBytes: $0) as UUID }
        }
    }
}

extension KeyedArchive {
    /// Decodes a plain value or an array, set or dictionary of such; nil if it contains an object of another class,
    /// nests 64 levels deep or has more than a million values.
    func plainTree(_ value: PropertyList?) -> Any? {
        var budget = 1 << 20
        return plainTree(value, depth: 0, &budget)
    }

    /// Depth and number of values are bounded, since objects of an archive may be shared and may contain themselves.
    private func plainTree(_ value: PropertyList?, depth: Int, _ budget: inout Int) -> Any? {
        budget -= 1
        guard depth < 64, budget > 0 else { return nil }
        guard let object = object(value) else { return plainValue(value) }
        if object.className == "NSNull" { return NSNull() }
        if let elements = elements(value) {
            return collection(object, elements: elements, depth: depth, budget: &budget)
        }
        guard let pairs = pairs(value) else { return plainValue(value) }
        var result: [AnyHashable: Any] = [:]
        for pair in pairs {
            guard let key = plainValue(pair.key) as? AnyHashable,
                let member = plainTree(pair.value, depth: depth + 1, &budget)
            else { return nil }
            result[key] = member
        }
        return result
    }

    private func collection(_ object: Object, elements: [PropertyList], depth: Int, budget: inout Int) -> Any? {
        var members: [Any] = []
        for element in elements {
            // A list may have nil among its elements.
            let isNil = element == ArchiveBuilder.null
            guard let member = isNil ? NSNull() : plainTree(element, depth: depth + 1, &budget) else { return nil }
            members.append(member)
        }
        switch object.className {
        case "NSSet", "NSMutableSet": return NSSet(array: members)
        case "NSOrderedSet", "NSMutableOrderedSet": return NSOrderedSet(array: members)
        default: return members
        }
    }
}
