import CoreData
import CoreDataViewing
import CoreDataWorkbench
import StoreContract
import Testing

/// Sixty heroes with numbers, dates and values that are missing, in a store of any kind.
final class SummaryScene {
    /// What is known of one hero.
    struct Hero {
        let sex: String?
        let strength: Int?
        let weight: Double
        let price: Decimal
        let born: Date?
    }

    let stack: Stack
    let heroes: [Hero]

    init(_ kind: StoreKind) throws {
        let model = try SuperDB.model(
            """
            <attribute name="strength" optional="YES" attributeType="Integer 64"/>
            <attribute name="weight" attributeType="Double"/>
            <attribute name="price" attributeType="Decimal"/>
            <attribute name="picture" optional="YES" attributeType="Binary"/>
            """)
        stack = try Stack(model, kind: kind)
        heroes = (0..<60).map(Self.hero)
        for (number, hero) in heroes.enumerated() {
            stack.context.insert(
                "Hero",
                [
                    "name": "Hero \(number)", "sex": hero.sex, "strength": hero.strength, "weight": hero.weight,
                    "price": NSDecimalNumber(decimal: hero.price), "birthDate": hero.born,
                ])
        }
        try stack.context.save()
        for (number, hero) in try stack.context.all("Hero", sortedBy: "weight").enumerated() where number < 6 {
            stack.context.insert("Power", ["name": "Power \(number % 2)", "hero": hero])
        }
        try stack.context.save()
    }

    private static func hero(_ number: Int) -> Hero {
        let sex: String? = number % 5 == 0 ? nil : number % 2 == 0 ? "Male" : "Female"
        let days = Double(number - 20) * 20.3
        return Hero(
            sex: sex, strength: number % 9 == 0 ? nil : number % 7, weight: Double(number) / 4,
            price: Decimal(number) + Decimal(sign: .plus, exponent: -2, significand: 25),
            born: number % 11 == 0 ? nil : Date(timeIntervalSinceReferenceDate: days * 86_400))
    }

    /// A question of the heroes.
    func ask(
        _ group: String = "", _ aggregates: String..., of entity: String = "Hero", where condition: String? = nil,
        having: String? = nil, sort: String? = nil, limit: Int = 1_000, kind: ChartKind = .table
    ) throws -> ObjectSummary {
        let entity = try #require(stack.model.entitiesByName[entity])
        let question = try SummaryRequest(
            entity, in: stack.store, where: condition, group: group, aggregates: aggregates, having: having, sort: sort,
            limit: limit, kind: kind)
        return try stack.context.summary(of: question, in: stack.store)
    }
}

extension ObjectSummary {
    /// The rows as texts; nil is `nil`.
    var texts: [[String]] { rows.map { $0.map { $0.text ?? "nil" } } }
}
