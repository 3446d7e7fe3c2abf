import CoreData

/// Makes the records of an import out of the values of a document, by a mapping.
///
/// Of one value of the document come first the records of the objects that it is related to, and then its own, which leads to
/// them by labels. An object that is found by values has a label made of these, so that all that name it lead to one.
final class MappedRecords: ImportSource {
    /// How many labels are remembered with the content that was last imported under them.
    private static let mostContents = 20_000

    private let items: any DocumentItems
    private let plan: MappingPlan
    private let url: String
    private var ready: ArraySlice<ImportRecord> = []
    private var index = 0
    /// What objects that are related to several records were last made of: the same is not imported again.
    private var contents: [String: Int] = [:]

    init(_ items: any DocumentItems, _ plan: MappingPlan, url: String) {
        (self.items, self.plan, self.url) = (items, plan, url)
    }

    func next() throws -> ImportRecord? {
        while ready.isEmpty {
            guard let item = try items.next() else { return nil }
            defer { index += 1 }
            var made = Made(item.line, source: self)
            do {
                try made.add(item.value.get(), plan.records[item.path], isRelated: false)
                ready = made.records[...]
                if !ready.isEmpty { ready[ready.endIndex - 1].size = item.size }
            } catch let error as InspectionError {
                ready = [ImportRecord(failed: error, line: item.line, size: item.size)]
            }
        }
        return ready.popFirst()
    }

    /// The records of one value of the document.
    private struct Made {
        let line: Int
        let source: MappedRecords
        var records: [ImportRecord] = []
        private var unnamed = 0

        init(_ line: Int, source: MappedRecords) { (self.line, self.source) = (line, source) }

        /// Adds the record of a value, after those of what it is related to, and gives its label.
        @discardableResult
        mutating func add(_ value: JSONValue, _ plan: MappingPlan.Records, isRelated: Bool) throws -> String? {
            let entity = try entity(of: value, plan)
            try checkMembers(of: value, plan)
            var members: [ImportRecord.Member] = []
            members.reserveCapacity(entity.properties.count)
            for property in entity.properties {
                if let given = try self.value(property, in: value) {
                    members.append(.init(key: property.rule.name, value: given))
                }
            }
            let found = label(entity, members)
            var label = found
            if isRelated, label == nil {
                unnamed += 1
                label = "mapped record \(source.index).\(unnamed)"
            }
            guard !isRelated || !source.isKnown(label, members) else { return label }
            var record = ImportRecord(
                line: line, label: label, entity: entity.name, members: members, isExported: false)
            record.mapped = entity.mapped
            records.append(record)
            return label
        }

        private func entity(of value: JSONValue, _ plan: MappingPlan.Records) throws -> MappingPlan.Entity {
            guard case .byValue(let path, let words) = plan.rule.entity else {
                if let entity = plan.entities.first?.value { return entity }
                throw ValueConversion.wrong("entity", "the mapping names none")
            }
            let text = path.values(in: value).first?.text
            guard let name = text.flatMap({ words[$0] }) ?? words["*"], let entity = plan.entities[name] else {
                throw ValueConversion.wrong(path.text, "the mapping has no entity for this text")
            }
            return entity
        }

        private func checkMembers(of value: JSONValue, _ plan: MappingPlan.Records) throws {
            guard let known = plan.knownMembers, case .members(let members) = value,
                let other = members.first(where: { !known.contains($0.key) })
            else { return }
            throw ValueConversion.wrong(
                PrintableText.escaped(other.key, limit: 80), "the mapping has no property for this key",
                hint: NameSuggestion(for: other.key, in: known)?.question)
        }

        /// The value of a property; nil where the record says nothing of it.
        private mutating func value(_ property: MappingPlan.Property, in record: JSONValue) throws -> EditValue? {
            let given: [JSONValue] =
                switch property.rule.source {
                case .paths(let paths): paths.lazy.map { $0.values(in: record) }.first { !$0.isEmpty } ?? []
                case .constant(let text): [.string(text)]
                case .documentURL: [.string(source.url)]
                case .index: [.integer(Int64(source.index))]
                }
            let value: EditValue?
            do {
                switch property.content {
                case .attribute(let attribute, let kind, let conversion):
                    value = try conversion.value(given, for: attribute, kind)
                case .related(let relationship, let related):
                    value = try labels(given, relationship, related)
                }
            } catch var error as InspectionError {
                if let path = property.rule.source.paths.first, error.subject == property.rule.name {
                    error.subject = "\(property.rule.name) (\(path.text))"
                }
                throw error
            }
            if let value { return value }
            switch property.rule.missing {
            case .keep: return nil
            case .null: return .null
            case .refuse: throw ValueConversion.wrong(property.rule.name, "the record has no value for it")
            }
        }

        private mutating func labels(
            _ given: [JSONValue], _ relationship: NSRelationshipDescription, _ related: MappingPlan.Records
        ) throws -> EditValue? {
            guard !given.isEmpty else { return nil }
            let values = given.flatMap { value -> [JSONValue] in
                switch value {
                case .array(let elements): elements
                case .null: []
                default: [value]
                }
            }
            guard relationship.isToMany || values.count <= 1 else {
                throw ValueConversion.wrong(relationship.name, "there are \(values.count) values for one object")
            }
            var labels: [String] = []
            for value in values {
                guard let label = try add(value, related, isRelated: true), !labels.contains(label) else { continue }
                labels.append(label)
            }
            if relationship.isToMany { return .json(.array(labels.map { .string($0) })) }
            return labels.first.map { .json(.string($0)) } ?? .null
        }

        /// The label of an object that is found by its values; nil where it is not.
        private func label(_ entity: MappingPlan.Entity, _ members: [ImportRecord.Member]) -> String? {
            for scope in entity.mapped.scopes {
                let names = scope.attributes.map(\.name)
                let texts = names.compactMap { name in
                    members.first { $0.key == name }.flatMap { Self.text($0.value) }
                }
                guard texts.count == names.count else { continue }
                return "mapped \(entity.name) \(names.joined(separator: ",")) " + texts.joined(separator: "\u{0}")
            }
            return nil
        }

        private static func text(_ value: EditValue) -> String? {
            switch value {
            case .field(let text), .text(let text), .json(.string(let text)), .json(.number(let text)): text
            case .json(.integer(let number)): String(number)
            case .json(.bool(let flag)): flag ? "true" : "false"
            default: nil
            }
        }
    }

    /// Whether the object of a label was last imported with the same values; remembers that it is now.
    private func isKnown(_ label: String?, _ members: [ImportRecord.Member]) -> Bool {
        guard let label, !label.hasPrefix("mapped record") else { return false }
        var hasher = Hasher()
        for member in members { hasher.combine("\(member.key)=\(member.value)") }
        let hash = hasher.finalize()
        if contents[label] == hash { return true }
        if contents.count >= Self.mostContents { contents.removeAll(keepingCapacity: true) }
        contents[label] = hash
        return false
    }
}
