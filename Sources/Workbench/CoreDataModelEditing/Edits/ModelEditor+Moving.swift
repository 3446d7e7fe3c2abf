import CoreDataModeling

extension ModelEditor {
    /// Changes the parent of an entity (`.` for none), or moves a property to another entity.
    mutating func move(_ item: SourceItem, to target: String) throws {
        switch item {
        case .entity: try setParent(target == "." ? nil : target, of: item)
        case .property(let name, let entity): try moveProperty(name, of: entity, to: target)
        default:
            throw ModelEditError(
                .notApplicable, subject: "\(item)", cause: "only entities and their properties can be moved")
        }
    }

    private mutating func moveProperty(_ name: String, of entity: String, to target: String) throws {
        let item = SourceItem.property(name, entity: entity)
        let path = try document.requiredPath(to: item)
        try requireEntity(target)
        guard target != entity, let element = document.element(at: path) else { return }
        let moved = SourceItem.property(name, entity: target)
        guard !document.contains(moved) else {
            throw ModelEditError(.nameTaken, subject: "\(moved)", cause: "there is such an item already")
        }
        let inverse = element.name == "relationship" ? element["inverseName"] : nil
        let names = DocumentNames(document)
        if names.isKind(entity, of: target) {
            try clearInverse(of: item)
        } else {
            try leave(name, of: entity)
        }
        guard let bare = document.element(at: path) else { return }
        try change {
            try $0.remove(path)
            try $0.add(bare, to: .entity(target))
        }
        guard let inverse, let destination = element["destinationEntity"],
            let back = DocumentNames(document).property(inverse, of: .entity(destination)),
            case .entity(let declarer) = back.owner
        else { return }
        let other = SourceItem.property(inverse, entity: declarer)
        try setDestination(target, of: other)
        try setInverse(inverse, of: moved)
    }
}
