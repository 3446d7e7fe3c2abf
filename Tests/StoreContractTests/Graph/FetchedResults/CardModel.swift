import CoreData
import StoreContract

/// Cards of suits, of which some are special: what the lists of the tests show.
enum CardModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Card",
            [
                "name": .stringAttributeType, "rank": .integer32AttributeType, "isHidden": .booleanAttributeType,
                "number": .integer64AttributeType, "mood": .stringAttributeType,
            ])
        builder.entity("Joker", in: "Card", ["colour": .stringAttributeType])
        builder.entity("Suit", ["title": .stringAttributeType, "place": .integer32AttributeType])
        builder.relationships("Suit.cards*", "Card.suit")
        builder.relationship("Card.guest", to: "Suit")
        builder.attribute("Card.mood").isTransient = true
        return builder.model
    }

    static func stack(_ kind: StoreKind = .sqlite) throws -> Stack { try Stack(make(), kind: kind) }

    /// A request for all cards in an order.
    static func request(_ keys: String..., predicate: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Card")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = predicate.map { NSPredicate(format: $0) }
        return request
    }
}

extension NSManagedObjectContext {
    /// A controller on the context.
    func controller(
        _ request: NSFetchRequest<NSManagedObject>, sections: String? = nil, cache: String? = nil
    ) -> NSFetchedResultsController<NSManagedObject> {
        NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: self, sectionNameKeyPath: sections, cacheName: cache)
    }

    /// Inserts cards with names, and numbers in their order.
    @discardableResult
    func cards(_ names: String...) -> [NSManagedObject] {
        names.enumerated().map { insert("Card", ["name": $1, "number": $0, "rank": 0, "isHidden": false]) }
    }
}

extension NSFetchedResultsController {
    /// The list as section names and a value of each object.
    func table(_ key: String = "name") -> [String] {
        (sections ?? []).map { section in
            let values = (section.objects ?? []).map { "\(($0 as? NSManagedObject)?.value(forKey: key) ?? "-")" }
            return "\(section.name): " + values.joined(separator: " ")
        }
    }
}
