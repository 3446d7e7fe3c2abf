/// Decodes instances of Foundation's classes.
extension KeyedArchive {
    /// The text of a string or of an instance of a string class; nil for anything else.
    package func string(_ value: PropertyList?) -> String? {
        if let text = resolve(value).string { return text }
        guard let object = object(value),
            object.classNames.contains("NSString") || object.className == "NSMutableString"
        else { return nil }
        return resolve(object.fields["NS.string"]).string
    }

    package func integer(_ value: PropertyList?) -> Int? {
        switch resolve(value) {
        case .integer(let number): Int(number)
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }

    package func boolean(_ value: PropertyList?) -> Bool { integer(value).map { $0 != 0 } ?? false }

    /// The elements of an array or a set; nil for anything else.
    package func elements(_ value: PropertyList?) -> [PropertyList]? {
        guard let object = object(value), Self.collectionNames.contains(object.className) else { return nil }
        return object.fields["NS.objects"]?.array
    }

    private static let collectionNames: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]

    /// The keys and values of a dictionary, also of an `NSKnownKeysDictionary`; nil for anything else.
    package func pairs(_ value: PropertyList?) -> [(key: PropertyList, value: PropertyList)]? {
        guard let object = object(value) else { return nil }
        switch object.className {
        case "NSDictionary", "NSMutableDictionary":
            guard let keys = object.fields["NS.keys"]?.array, let values = object.fields["NS.objects"]?.array,
                keys.count == values.count
            else { return nil }
            return Array(zip(keys, values)).map { (key: $0.0, value: $0.1) }
        case "NSKnownKeysDictionary", "NSKnownKeysDictionary1": return knownKeyPairs(object)
        default: return nil
        }
    }

    /// Source: the model in Apple's stores, whose dictionaries share a list of keys; the empty token marks absent
    /// values.
    private func knownKeyPairs(_ object: Object) -> [(key: PropertyList, value: PropertyList)]? {
        guard let mapping = self.object(object.fields["searchMapping"]),
            let keys = elements(mapping.fields["keys"]), let values = elements(object.fields["values"]),
            keys.count == values.count
        else { return nil }
        let empty = string(object.fields["emptyToken"])
        let pairs = zip(keys, values).filter { empty == nil || resolve($0.1).string != empty }
        return pairs.map { (key: $0.0, value: $0.1) }
    }

    /// A decimal number, as `NSDecimalNumber` archives it: up to eight 16-bit words of a mantissa, and an exponent.
    package func decimal(_ object: Object) -> Decimal? {
        guard object.className.hasPrefix("NSDecimalNumber"),
            case .data(let mantissa) = resolve(object.fields["NS.mantissa"]),
            let exponent = integer(object.fields["NS.exponent"]), let length = integer(object.fields["NS.length"]),
            mantissa.count == 16, (0...8).contains(length), (-128...127).contains(exponent)
        else { return nil }
        let isLittle = integer(object.fields["NS.mantissa.bo"]) != 2
        let bytes = [UInt8](mantissa)
        var number = Decimal(0)
        for word in (0..<length).reversed() {
            let (low, high) = isLittle ? (bytes[word * 2], bytes[word * 2 + 1]) : (bytes[word * 2 + 1], bytes[word * 2])
            number = number * 65536 + Decimal(Int(high) << 8 | Int(low))
        }
        let isNegative = boolean(object.fields["NS.negative"])
        if length == 0 { return isNegative ? Decimal.nan : 0 }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: number)
    }
}
