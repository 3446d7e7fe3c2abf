import CoreDataModeling

extension ModelEditor {
    // MARK: Counts

    mutating func setToMany(_ option: ItemOption, _ value: String?, of item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        guard let isToMany = OptionValue.flag(value ?? "NO") else {
            throw ModelEditError(.invalidValue, subject: "\(item)", cause: "'\(option.name)' takes YES or NO")
        }
        guard (document.element(at: path)?["toMany"] == "YES") != isToMany else { return }
        try change {
            try $0.set(isToMany ? "YES" : nil, for: "toMany", at: path)
            try $0.set(isToMany ? nil : "1", for: "maxCount", at: path)
            try $0.set(nil, for: "minCount", at: path)
            if !isToMany { try $0.set(nil, for: "ordered", at: path) }
        }
    }

    mutating func setCount(_ option: ItemOption, _ value: String?, of item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        guard let count = Int(value ?? "0"), count >= 0 else {
            throw ModelEditError(
                .invalidValue, subject: "\(item)",
                cause: "'\(option.name)' takes a whole number of at least 0, not '\(value ?? "")'")
        }
        guard count != 1 || option.attribute == "minCount" else {
            throw ModelEditError(
                .invalidValue, subject: "\(item)",
                cause: "a relationship to many with at most one object is one to one",
                hint: "set to-many=NO")
        }
        try change { try $0.set(count == 0 ? nil : "\(count)", for: option.attribute, at: path) }
        guard let element = document.element(at: path), let greatest = element["maxCount"].flatMap(Int.init),
            let least = element["minCount"].flatMap(Int.init), greatest > 0, least > greatest
        else { return }
        throw ModelEditError(.invalidValue, subject: "\(item)", cause: "the least count is above the greatest")
    }

    // MARK: The other end

    /// Sets the destination of a relationship; if it changes, removes the inverse on both sides.
    mutating func setDestination(_ value: String?, of item: SourceItem) throws {
        guard let value else {
            throw ModelEditError(.invalidValue, subject: "\(item)", cause: "a relationship leads to an entity")
        }
        try requireEntity(value)
        let path = try document.requiredPath(to: item)
        guard document.element(at: path)?["destinationEntity"] != value else { return }
        try clearInverse(of: item)
        try change { try $0.set(value, for: "destinationEntity", at: path) }
    }

    /// Makes two relationships each other's inverse, after removing the inverses that they had; nil only removes the
    /// inverse of this relationship.
    mutating func setInverse(_ value: String?, of item: SourceItem) throws {
        guard case .property(let name, let entity) = item else { return }
        guard let value else { return try clearInverse(of: item) }
        guard let destination = try document.requiredElement(of: item)["destinationEntity"] else {
            throw ModelEditError(
                .invalidValue, subject: "\(item)", cause: "it leads nowhere yet",
                hint: "set destination=ENTITY along with the inverse")
        }
        let names = DocumentNames(document)
        let (inverse, property) = try requiredProperty(value, of: destination, names)
        guard case .property(_, let declarer) = inverse, property.kind == "relationship",
            case .entity(let back)? = property.target
        else { throw ModelEditError(.invalidValue, subject: "\(item)", cause: "'\(inverse)' is no relationship") }
        guard names.isKind(entity, of: back) || names.isKind(back, of: entity) else {
            throw ModelEditError(
                .invalidValue, subject: "\(item)", cause: "'\(inverse)' leads to '\(back)'",
                hint: "set \(inverse) destination=\(entity)")
        }
        let element = try document.requiredElement(of: item)
        let other = try document.requiredElement(of: inverse)
        if element["inverseName"] == value, other["inverseName"] == name { return }
        try clearInverse(of: item)
        try clearInverse(of: inverse)
        try setNames(value, of: declarer, for: item)
        try setNames(name, of: entity, for: inverse)
    }

    private mutating func setNames(_ name: String, of entity: String, for item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        try change {
            try $0.set(name, for: "inverseName", at: path)
            try $0.set(entity, for: "inverseEntity", at: path)
        }
    }

    /// Removes the inverse of a relationship, also from every relationship that names it as its inverse.
    ///
    /// Does nothing for an item that is not a relationship.
    mutating func clearInverse(of item: SourceItem) throws {
        guard case .property(let name, let entity) = item, let path = document.path(to: item),
            let element = document.element(at: path), element.name == "relationship"
        else { return }
        let names = DocumentNames(document)
        for owner in document.root.elements where owner.name == "entity" {
            for other in owner.elements where other.name == "relationship" && other["inverseName"] == name {
                guard let target = other["inverseEntity"] ?? other["destinationEntity"],
                    names.property(name, of: .entity(target))?.owner == .entity(entity)
                else { continue }
                try clearNames(at: .entity(owner["name"] ?? "").relationship(other["name"] ?? ""))
            }
        }
        try clearNames(at: path)
    }

    private mutating func clearNames(at path: ModelPath) throws {
        try change {
            try $0.set(nil, for: "inverseName", at: path)
            try $0.set(nil, for: "inverseEntity", at: path)
        }
    }
}
