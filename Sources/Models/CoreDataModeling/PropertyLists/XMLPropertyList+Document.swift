import CoreDataFoundation

extension XMLPropertyList {
    /// The limits for reading an untrusted document.
    package static var documentRules: MarkupRules {
        var rules = MarkupRules()
        (rules.depth, rules.elements, rules.text) = (128, 1 << 20, 64 << 20)
        return rules
    }

    /// Reads a document: `<plist>` with one value in it.
    ///
    /// - Throws: `ModelingError` with the line, also for a document in another encoding than UTF-8, for one that
    ///   declares entities, and for what exceeds the limits.
    package static func list(_ data: Data, rules: MarkupRules = documentRules) throws -> PropertyList {
        let events = MarkupEventReader(data, rules: rules)
        guard case .start("plist", _)? = try events.next(), let name = try nextStart(events) else {
            throw events.malformed("there is no <plist> with a value in it")
        }
        let list = try read(name, events)
        guard try nextStart(events) == nil else { throw events.malformed("<plist> has more than one value") }
        // The reader also throws for anything after the end.
        guard try events.next() == nil else { throw events.malformed("something follows </plist>") }
        return list
    }
}

extension PropertyList {
    /// Replaces the dictionaries that represent references in archives in XML, `{"CF$UID": 1}`, by references.
    ///
    /// Recursive; the reader has bounded the depth.
    package var withReferences: PropertyList {
        switch self {
        case .array(let elements): .array(elements.map(\.withReferences))
        case .dictionary(let pairs):
            if pairs.count == 1, let number = pairs["CF$UID"]?.integer, let index = Int(exactly: number), index >= 0 {
                .uid(index)
            } else {
                .dictionary(pairs.mapValues(\.withReferences))
            }
        default: self
        }
    }
}
