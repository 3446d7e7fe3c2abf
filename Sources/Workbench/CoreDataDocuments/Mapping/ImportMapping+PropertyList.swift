import CoreData
import CoreDataLocalization

extension ImportMapping {
    /// Reads a mapping from a property list file.
    ///
    /// - Throws: `InspectionError` of code `badValue` that names the key which is wrong.
    package init(file path: String) throws {
        let name = PrintableText.escaped(path, limit: 200)
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw InspectionError(.unreadable, subject: name, cause: "it cannot be read: \(error.localizedDescription)")
        }
        try self.init(propertyList: data, named: name)
    }

    /// Reads a mapping from a property list in any of its formats.
    ///
    /// - Throws: As above.
    package init(propertyList data: Data, named name: String) throws {
        let list: Any
        do {
            list = try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw InspectionError(
                .badValue, subject: name, cause: "this is not a property list", hint: "its keys are those of a mapping")
        }
        origin = data
        let all = try MappingKeys(list, at: name)
        let place = try MappingDefaults(all)
        format = try all.choice("format")
        encoding = try all.text("encoding")
        delimiter = try Self.delimiter(all)
        namespaces = try all.texts("namespaces") ?? [:]
        failures = try all.choice("errors") ?? .stop
        nextPage =
            try all.has("next") && all.text("next") == "$link" ? .header : all.path("next").map { .path($0) }
        if let several = try all.list("records") {
            records = try several.enumerated().map { number, one in
                let keys = try MappingKeys(one, at: "\(name): records[\(number)]")
                let records = try Self.records(keys, place, isNested: false)
                try keys.finish()
                return records
            }
            guard !records.isEmpty else { throw all.wrong("records", "the list is empty") }
        } else {
            records = [try Self.records(all, place, isNested: false)]
        }
        try all.finish()
    }

    private static func delimiter(_ keys: MappingKeys) throws -> UInt8? {
        guard let text = try keys.text("delimiter") else { return nil }
        guard let byte = text == "tab" ? UInt8(ascii: "\t") : text.count == 1 ? text.first?.asciiValue : nil,
            !Array("\"\r\n".utf8).contains(byte)
        else { throw keys.wrong("delimiter", "it is neither 'tab' nor a single character of ASCII such as ;") }
        return byte
    }

    private static func records(_ keys: MappingKeys, _ defaults: MappingDefaults, isNested: Bool) throws -> Records {
        let place = try keys.path(isNested ? "from" : "at") ?? DocumentPath([])
        guard isNested || !place.hasConditions && !place.endsInAttribute else {
            throw keys.wrong("at", "a place in a document has no conditions, and is no attribute")
        }
        var records = Records(
            place: place, entity: try entity(keys, isNested: isNested), properties: [])
        records.match = try match(keys) ?? .constraints
        records.existing = try keys.choice("existing") ?? .update
        records.unknown = try keys.choice("unknown") ?? .ignore
        records.creates = try keys.flag("create") ?? true
        let properties = try keys.dictionary("properties") ?? [:]
        guard isNested || !properties.isEmpty else { throw keys.wrong("properties", "it is missing") }
        for (name, rule) in properties.sorted(by: { $0.key < $1.key }) {
            records.properties.append(try property(name, rule, at: "\(keys.place): \(name)", defaults))
        }
        return records
    }

    private static func entity(_ keys: MappingKeys, isNested: Bool) throws -> EntityChoice {
        switch keys.take("entity") {
        case nil where isNested: return .destination
        case nil: throw keys.wrong("entity", "it is missing")
        case let name as String: return .named(name)
        case let choice as [String: Any]:
            let parts = try MappingKeys(choice, at: "\(keys.place): entity")
            guard let path = try parts.path("from"), let words = try parts.texts("words") else {
                throw keys.wrong("entity", "it needs 'from' and 'words', which say the entity for each text")
            }
            try parts.finish()
            return .byValue(path, words)
        default: throw keys.wrong("entity", "it is neither a name nor a dictionary")
        }
    }

    private static func match(_ keys: MappingKeys) throws -> Match? {
        switch keys.take("match") {
        case nil: return nil
        case let word as String where word == "constraint": return .constraints
        case let word as String where word == "none": return Match.none
        case let name as String: return .keys([name])
        case let names as [String] where !names.isEmpty: return .keys(names)
        default: throw keys.wrong("match", "it is none of constraint, none, and names of attributes")
        }
    }

    private static func property(
        _ name: String, _ rule: Any, at place: String, _ defaults: MappingDefaults
    ) throws -> Property {
        if let text = rule as? String {
            guard let source = source([text]) else { throw MappingKeys.wrong(place, "'\(text)' is no path") }
            return Property(
                name: name, source: source, missing: defaults.missing, content: .value(defaults.conversion()))
        }
        let keys = try MappingKeys(rule, at: place)
        let missing = try keys.choice("missing") ?? defaults.missing
        let isRelated = ["entity", "properties", "match", "existing", "create", "unknown"].contains(where: keys.has)
        if isRelated {
            let records = try Self.records(keys, defaults, isNested: true)
            try keys.finish()
            return Property(name: name, source: .paths([records.place]), missing: missing, content: .related(records))
        }
        let conversion = try conversion(keys, defaults)
        if let constant = try keys.text("constant") {
            try keys.finish()
            return Property(name: name, source: .constant(constant), missing: missing, content: .value(conversion))
        }
        guard let texts = try keys.words("from"), !texts.isEmpty else { throw keys.wrong("from", "it is missing") }
        guard let source = source(texts) else { throw keys.wrong("from", "'\(texts[0])' is no path") }
        try keys.finish()
        return Property(name: name, source: source, missing: missing, content: .value(conversion))
    }

    private static func source(_ texts: [String]) -> Source? {
        switch texts {
        case ["$url"]: return .documentURL
        case ["$index"]: return .index
        default:
            let paths = texts.compactMap { DocumentPath($0) }
            return paths.count == texts.count ? .paths(paths) : nil
        }
    }

    private static func conversion(_ keys: MappingKeys, _ defaults: MappingDefaults) throws -> ValueConversion {
        var conversion = defaults.conversion()
        if let decimal = try keys.character("decimal") {
            conversion.number = .init(decimal: decimal, grouping: nil)
        }
        if let grouping = try keys.character("grouping") {
            conversion.number = .init(decimal: conversion.number?.decimal ?? ".", grouping: grouping)
        }
        if let identifier = try keys.text("locale") {
            let locale = try locale(identifier, keys, conversion)
            (conversion.locale, conversion.localNumber) = (locale, NumberReader(locale: locale))
        }
        let zone = try keys.zone("zone") ?? defaults.zone
        conversion.date = DateForm(try (keys.words("date") ?? ["iso8601"]).map { try dateKind($0, keys) }, zone: zone)
        let (yes, no) = (try keys.words("true"), try keys.words("false"))
        if yes != nil || no != nil { conversion.truths = (yes ?? [], no ?? []) }
        conversion.words = try keys.texts("words")
        conversion.transformer = try keys.text("transformer")
        conversion.separator = try keys.text("join")
        conversion.standard = try keys.text("default")
        conversion.takesFirst = try keys.flag("first") ?? false
        conversion.isAddress = try keys.flag("address") ?? false
        if conversion.isAddress, let other = ["words", "transformer", "date", "true", "false"].first(where: keys.has) {
            throw keys.wrong("address", "'\(other)' cannot stand beside it")
        }
        return conversion
    }

    private static func locale(
        _ identifier: String, _ keys: MappingKeys, _ conversion: ValueConversion
    ) throws -> Locale {
        guard conversion.number == nil else {
            throw keys.wrong("locale", "the locale says what 'decimal' and 'grouping' say without it")
        }
        let locale = Locale(identifier: identifier)
        guard locale.language.languageCode?.isISOLanguage == true else {
            throw keys.wrong("locale", "'\(identifier)' is no locale such as de or en_GB")
        }
        return locale
    }

    private static func dateKind(_ text: String, _ keys: MappingKeys) throws -> DateForm.Kind {
        switch text {
        case "iso8601": return .iso
        case "seconds": return .seconds
        case "milliseconds": return .milliseconds
        case "rfc822": return .internet
        default:
            guard let pattern = DatePattern(text) else {
                throw keys.wrong("date", "'\(text)' is no pattern with a year, a month and a day")
            }
            return .pattern(pattern)
        }
    }
}

/// What holds for all properties of a mapping that say nothing else.
private struct MappingDefaults {
    let missing: ImportMapping.MissingRule
    let zone: TimeZone

    init(_ keys: MappingKeys) throws {
        missing = try keys.choice("missing") ?? .keep
        zone = try keys.zone("zone") ?? .gmt
    }

    func conversion() -> ValueConversion {
        var conversion = ValueConversion()
        conversion.date = DateForm([.iso], zone: zone)
        return conversion
    }
}
