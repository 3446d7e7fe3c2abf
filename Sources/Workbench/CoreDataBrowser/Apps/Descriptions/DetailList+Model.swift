import CoreData

extension DetailList {
    /// The form of an entity without a detail list: a section of its attributes, one for each relationship, and one of
    /// its fetched properties as reports.
    init(of entity: NSEntityDescription) {
        name = entity.name ?? ""
        let attributes = entity.properties.compactMap { $0 as? NSAttributeDescription }
        sections = [
            Section(
                rows: attributes.map { attribute in
                    Row(
                        key: attribute.name, label: Self.label(attribute.name),
                        className: FieldKindRegistry.standard(for: attribute))
                })
        ]
        for case let relationship as NSRelationshipDescription in entity.properties {
            let row = Row(key: relationship.name, label: "", className: "SuperDBCell")
            let key = relationship.destinationEntity.flatMap { EntityLabel.key(of: $0) }
            sections.append(
                Section(
                    header: Self.label(relationship.name), isDynamic: relationship.isToMany, rows: [row],
                    displayKey: key, sortKey: relationship.isOrdered ? nil : key))
        }
        let fetched = entity.properties.compactMap { $0 as? NSFetchedPropertyDescription }
        guard !fetched.isEmpty else { return }
        sections.append(
            Section(
                header: "Reports",
                rows: fetched.map { property in
                    var row = Row(key: property.name, label: "Report", className: "SuperDBCell")
                    row.value = Self.label(property.name)
                    return row
                }))
    }

    /// A key as people read it: `birthDate` is Birth Date.
    static func label(_ key: String) -> String {
        var words = ""
        for character in key {
            if character.isUppercase, let last = words.last, last.isLowercase { words.append(" ") }
            words.append(words.isEmpty ? Character(character.uppercased().prefix(1).description) : character)
        }
        return words
    }

    /// Leaves out rows whose keys the entity lacks, and makes rows read-only whose kind is unknown or does not fit the
    /// property. Adds each of these to `problems`.
    func checked(for entity: NSEntityDescription, _ kinds: FieldKindRegistry, _ problems: ListProblemCollector)
        -> DetailList
    {
        var list = self
        for (section, content) in sections.enumerated() {
            var rows: [Row] = []
            for (row, entry) in content.rows.enumerated() {
                let note = { (key: String, text: String) in
                    problems.add(name, place: "sections.\(section).rows.\(row).\(key)", text: text)
                }
                guard var known = Self.known(entry, entity: entity, note: note) else { continue }
                if content.isDynamic, !Self.isToMany(entry.key, entity) {
                    note("key", "'\(entry.key)' is not a to-many relationship, which a dynamic section needs")
                    continue
                }
                known.through = Self.through(known, entity: entity, note: note)
                known.className = Self.fitting(known, entity: entity, kinds: kinds, note: note)
                rows.append(known)
            }
            list.sections[section].rows = rows
            if content.isDynamic, let key = rows.first?.key {
                list.sections[section] = Self.membersChecked(
                    list.sections[section], key: key, number: section, entity: entity
                ) { text in
                    problems.add(name, place: "sections.\(section)", text: text)
                }
            }
        }
        return list
    }

    private static func isToMany(_ key: String, _ entity: NSEntityDescription) -> Bool {
        entity.relationshipsByName[key]?.isToMany == true
    }

    private static func known(_ row: Row, entity: NSEntityDescription, note: (String, String) -> Void) -> Row? {
        guard entity.propertiesByName[row.key] == nil else { return row }
        let near = NameSuggestion(for: row.key, in: entity.propertiesByName.keys)
        note(
            "key",
            "entity '\(entity.name ?? "")' has no property '\(row.key)'"
                + (near.map { "; " + $0.question } ?? ""))
        return nil
    }

    private static func fitting(
        _ row: Row, entity: NSEntityDescription, kinds: FieldKindRegistry, note: (String, String) -> Void
    ) -> String {
        guard let kind = kinds[row.className] else {
            let near = kinds.near(row.className)
            note("class", "there is no class '\(row.className)'" + (near.map { "; " + $0.question } ?? ""))
            return "SuperDBCell"
        }
        guard let attribute = entity.attributesByName[row.key] else {
            let isChoice = row.className == RelationshipChoice.className && entity.relationshipsByName[row.key] != nil
            return isChoice ? row.className : "SuperDBCell"
        }
        guard kind.fits(attribute) else {
            note("class", "\(row.className) cannot edit '\(row.key)', which is of type \(attribute.attributeType.text)")
            return "SuperDBCell"
        }
        return attribute.isTransient || attribute is NSDerivedAttributeDescription ? "SuperDBCell" : row.className
    }

    /// The relationship of a row's new members, where it can be one.
    private static func through(_ row: Row, entity: NSEntityDescription, note: (String, String) -> Void) -> String? {
        guard let name = row.through else { return nil }
        let members = entity.relationshipsByName[row.key]?.destinationEntity
        guard let members, !members.isAbstract, members.relationshipsByName[name]?.isToMany == false else {
            note("through", "'\(name)' is not a to-one relationship of what '\(row.key)' has")
            return nil
        }
        return name
    }

    private static func membersChecked(
        _ section: Section, key: String, number: Int, entity: NSEntityDescription, note: (String) -> Void
    ) -> Section {
        var section = section
        guard let members = entity.relationshipsByName[key]?.destinationEntity else { return section }
        if let display = section.displayKey, (try? ModelKeys.route(display, of: members)) == nil {
            note("displayKey: entity '\(members.name ?? "")' has no property '\(display)'")
            section.displayKey = nil
        }
        if let sort = section.sortKey, !ModelKeys.isSortable(sort, of: members) {
            note("sortKey: members cannot be sorted by '\(sort)'")
            section.sortKey = nil
        }
        return section
    }
}
