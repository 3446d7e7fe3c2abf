import CoreData

/// A mapping that the names and values of a document and the names of a model speak for, to be corrected by who knows better.
package struct MappingGuess {
    /// Documents of more bytes are not looked at.
    private static let greatestSize = 16 << 20
    /// How many records are looked at, and how deep values lie that are taken.
    private static let (mostRecords, greatestDepth) = (200, 3)

    /// A place in the document at which there are objects.
    private struct Place {
        let path: [String]
        let records: [JSONValue]
    }

    /// The mapping as a property list in XML.
    package let propertyList: Data

    /// - Throws: `InspectionError` for a file that is not of its form, and where no entity has any of its names.
    package init(_ file: ImportFile, as given: ImportFormat?, entity name: String?, for model: NSManagedObjectModel)
        throws
    {
        let format = try given ?? file.format()
        let places = try Self.places(file, format)
        let concrete =
            try name.map { [try model.entity(named: $0)] }
            ?? NSManagedObjectModel.numbered(model.entities).filter { !$0.isAbstract }
        var best: (score: Int, entity: NSEntityDescription, place: Place, rules: [String: Any])?
        for place in places {
            for entity in concrete {
                let rules = Self.rules(of: entity, for: place.records, depth: 0)
                // Of places that say as much the one with more records counts.
                let score = rules.count * 1_000 + min(place.records.count, 999)
                if !rules.isEmpty, score > best?.score ?? 0 { best = (score, entity, place, rules) }
            }
        }
        guard let best else {
            throw InspectionError(
                .badValue, subject: ImportFormat.name(of: file.name),
                cause: "no entity has a property of any name in it",
                hint: "write a mapping by hand")
        }
        var mapping: [String: Any] = [
            "format": format.rawValue, "entity": best.entity.name ?? "", "properties": best.rules,
        ]
        if !best.place.path.isEmpty { mapping["at"] = Self.text(best.place.path) }
        propertyList = try PropertyListSerialization.data(fromPropertyList: mapping, format: .xml, options: 0)
    }

    private static func text(_ names: [String]) -> String { DocumentPath(names.map { .name($0) }).text }

    // MARK: Places

    private static func places(_ file: ImportFile, _ format: ImportFormat) throws -> [Place] {
        let blocks = try file.blocks()
        if format == .csv {
            let items = try format.items(blocks, at: [DocumentPath([])])
            var records: [JSONValue] = []
            while records.count < mostRecords, let item = try items.next() { records.append(try item.value.get()) }
            return [Place(path: [], records: records)]
        }
        var size = 0
        let items = try format.items(blocks, at: [DocumentPath(format == .xml ? [.any] : [])])
        var roots: [JSONValue] = []
        while roots.count < mostRecords, let item = try items.next() {
            size += item.size
            guard size <= greatestSize else {
                throw InspectionError(
                    .badValue, subject: ImportFormat.name(of: file.name),
                    cause: "a guess looks at documents of \(greatestSize >> 20) megabytes at most",
                    hint: "give a shorter one of the same form")
            }
            roots.append(try item.value.get())
        }
        var found: [Place] = []
        if format == .xml {
            // The name is not part of the value.
            let name = try ImportFile.rootElement(ofBeginning: file.beginning()).map { String($0) } ?? "*"
            for root in roots { find(root, [name], &found) }
        } else {
            if roots.count > 1 || roots.allSatisfy(isObject) { found.append(Place(path: [], records: roots)) }
            if roots.count == 1 { find(roots[0], [], &found) }
        }
        return found
    }

    private static func isObject(_ value: JSONValue) -> Bool { if case .members = value { true } else { false } }

    /// Finds lists of objects, and in XML elements of one name.
    private static func find(_ value: JSONValue, _ path: [String], _ found: inout [Place]) {
        guard case .members(let members) = value, path.count < 8 else { return }
        for (key, group) in Dictionary(grouping: members, by: \.key).sorted(by: { $0.key < $1.key }) {
            let values = group.flatMap { member -> [JSONValue] in
                if case .array(let elements) = member.value { elements } else { [member.value] }
            }
            let objects = values.filter(isObject)
            guard let first = objects.first else { continue }
            found.append(Place(path: path + [key], records: Array(objects.prefix(mostRecords))))
            find(first, path + [key], &found)
        }
    }

    // MARK: Properties

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// What names of members have before and behind those of attributes of a kind: `isFork` is `fork`, and `pushed` `pushed_at`.
    private static func stem(_ name: String, _ kind: AttributeKind) -> String {
        func without(_ starts: [String] = [], _ ends: [String] = []) -> String {
            if let start = starts.first(where: name.hasPrefix) { return String(name.dropFirst(start.count)) }
            if let end = ends.first(where: name.hasSuffix) { return String(name.dropLast(end.count)) }
            return name
        }
        switch kind {
        case .boolean: return without(["is", "has"])
        case .date: return without([], ["at", "on", "date", "time"])
        case .integer16, .integer32, .integer64: return without(["numberof"], ["scount", "count", "s"])
        case .uri: return without([], ["url", "uri", "link"])
        default: return name
        }
    }

    private static func isNamed(
        _ path: [String], _ property: NSPropertyDescription, of entity: NSEntityDescription
    ) -> Bool {
        let (own, last) = (plain(property.name), plain(path.last ?? ""))
        let wanted = [own, plain((entity.name ?? "") + property.name)]
        if wanted.contains(last) || wanted.contains(plain(path.joined())) { return true }
        guard path.count == 1, let attribute = property as? NSAttributeDescription else { return false }
        let kind = AttributeKind(attribute)
        let (ours, theirs) = (stem(own, kind), stem(last, kind))
        return !ours.isEmpty && ours == theirs
    }

    private static func isListOfTexts(_ value: JSONValue) -> Bool {
        guard case .array(let elements) = value else { return false }
        return !elements.isEmpty && elements.allSatisfy { $0.text != nil }
    }

    /// The rules for the properties of an entity that the records have something for.
    private static func rules(of entity: NSEntityDescription, for records: [JSONValue], depth: Int) -> [String: Any] {
        let leaves = leaves(records)
        var rules: [String: Any] = [:]
        for property in entity.propertiesByName.values where SettableProperty.isSettable(property) {
            let fitting = leaves.filter { isNamed($0.path, property, of: entity) }
            // The one of the same name, and then the one that lies nearest.
            let same = fitting.filter { plain($0.path.last ?? "") == plain(property.name) }
            guard let leaf = (same.isEmpty ? fitting : same).min(by: { $0.path.count < $1.path.count }) else {
                continue
            }
            switch property {
            case let relationship as NSRelationshipDescription:
                guard depth < 2, let destination = relationship.destinationEntity, !destination.isAbstract,
                    let related = related(destination, leaf.values, depth)
                else { continue }
                rules[property.name] = ["from": text(leaf.path), "properties": related]
            case let attribute as NSAttributeDescription:
                let kind = AttributeKind(attribute)
                let isList = kind == .string && leaf.values.contains(where: isListOfTexts)
                let texts = leaf.values.compactMap(\.text).prefix(mostRecords)
                guard isList || !texts.isEmpty || leaf.values.isEmpty else { continue }
                let conversion = isList ? ["join": ", "] : conversion(kind, Array(texts))
                rules[property.name] =
                    conversion.isEmpty ? text(leaf.path) : conversion.merging(["from": text(leaf.path)]) { $1 }
            default: continue
            }
        }
        return rules
    }

    private static func related(_ entity: NSEntityDescription, _ values: [JSONValue], _ depth: Int) -> [String: Any]? {
        let elements = values.flatMap { value -> [JSONValue] in
            if case .array(let elements) = value { elements } else { [value] }
        }
        let objects = elements.filter(isObject)
        if !objects.isEmpty {
            let rules = rules(of: entity, for: objects, depth: depth + 1)
            return rules.isEmpty ? nil : rules
        }
        let key = sequence(first: entity, next: \.superentity).flatMap(\.uniquenessConstraints).first { $0.count == 1 }?
            .first
        guard let name = key as? String ?? (key as? NSPropertyDescription)?.name else { return nil }
        return elements.contains { $0.text != nil } ? [name: "."] : nil
    }

    private struct Leaf {
        let path: [String]
        let values: [JSONValue]
    }

    /// The values at all paths of the records, each path once.
    private static func leaves(_ records: [JSONValue]) -> [Leaf] {
        var order: [[String]] = []
        var values: [[String]: [JSONValue]] = [:]
        func add(_ value: JSONValue, _ path: [String]) {
            guard case .members(let members) = value, path.count < greatestDepth else { return }
            for member in members where member.key != "#text" {
                let path = path + [member.key]
                if values[path] == nil { order.append(path) }
                if case .null = member.value {
                    values[path, default: []] += []
                } else {
                    values[path, default: []].append(member.value)
                }
                add(member.value, path)
            }
        }
        for record in records { add(record, []) }
        return order.map { Leaf(path: $0, values: values[$0] ?? []) }
    }

    // MARK: Values

    private static let patterns = [
        "EEE MMM dd HH:mm:ss Z yyyy", "dd MMM yyyy", "d MMMM yyyy", "MMM d, yyyy", "yyyy/MM/dd", "dd.MM.yyyy",
        "dd/MM/yyyy",
        "MM/dd/yyyy", "yyyy-MM-dd HH:mm:ss Z", "dd.MM.yyyy HH:mm", "yyyyMMdd",
    ]

    /// What the texts of an attribute need to become its values; nothing where they are such already.
    private static func conversion(_ kind: AttributeKind, _ texts: [String]) -> [String: Any] {
        func all(_ form: DateForm.Kind) -> Bool {
            let form = DateForm([form], zone: .gmt)
            return texts.allSatisfy { form.date($0) != nil }
        }
        switch kind {
        case .date:
            if texts.isEmpty || all(.iso) { return [:] }
            if all(.internet) { return ["date": "rfc822"] }
            if all(.seconds) {
                let isFine = texts.contains { abs(Double($0) ?? 0) > 1e11 }
                return ["date": isFine ? "milliseconds" : "seconds"]
            }
            let fitting = patterns.first { DatePattern($0).map { all(.pattern($0)) } == true }
            return fitting.map { ["date": $0] } ?? [:]
        case .integer16, .integer32, .integer64, .double, .float, .decimal:
            func reads(_ form: ValueConversion.NumberForm) -> Bool {
                texts.allSatisfy { (try? form.plain($0, "")) != nil }
            }
            if reads(.init()) { return [:] }
            if reads(.init(decimal: ",", grouping: ".")) { return ["decimal": ",", "grouping": "."] }
            if reads(.init(decimal: ".", grouping: ",")) { return ["grouping": ","] }
            if reads(.init(decimal: ",", grouping: " ")) { return ["decimal": ",", "grouping": " "] }
            return [:]
        case .boolean:
            for (yes, no) in [("Y", "N"), ("y", "n"), ("on", "off"), ("ja", "nein"), ("oui", "non")]
            where !texts.isEmpty && texts.allSatisfy({ [yes, no].contains($0) }) {
                return ["true": yes, "false": no]
            }
            return [:]
        default: return [:]
        }
    }
}
