import CoreData
import StoreContract

/// Heroes with rules of the model and of their class.
enum ValidationModel {
    static func stack(_ kind: StoreKind) throws -> Stack { try Stack(make(), kind: kind) }

    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Hero", class: "StoreContractTests.GuardedHero",
            [
                "name": .stringAttributeType, "secretIdentity": .stringAttributeType, "birthDate": .dateAttributeType,
                "salary": .doubleAttributeType, "level": .integer32AttributeType, "address": .stringAttributeType,
                "phone": .stringAttributeType, "age": .integer16AttributeType, "initials": .stringAttributeType,
                "hired": .dateAttributeType, "height": .floatAttributeType, "score": .decimalAttributeType,
            ])
        builder.entity("Team", ["name": .stringAttributeType])
        builder.entity(
            "Person", class: "StoreContractTests.GuardedPerson",
            ["name": .stringAttributeType, "secretIdentity": .stringAttributeType, "age": .integer32AttributeType])
        builder.relationship("Person.guardian", to: "Person")
        builder.attribute("Person.age").validationRules = [ValidationRule(.minimum(0))]
        builder.relationships("Hero.guardian", "Hero.wards*")
        builder.relationships("Hero.team", "Team.heroes*")
        for (key, least, most) in [("salary", 0, 1000), ("level", 1, 9), ("score", 0, 10)] as [(String, Int, Int)] {
            builder.attribute("Hero.\(key)").validationRules = [
                ValidationRule(.minimum(Decimal(least))), ValidationRule(.maximum(Decimal(most))),
            ]
        }
        builder.attribute("Hero.height").validationRules = [ValidationRule(.maximum(Decimal(string: "2.1") ?? 0))]
        builder.attribute("Hero.name").isOptional = false
        builder.attribute("Hero.name").defaultValue = "Untitled Hero"
        builder.attribute("Hero.secretIdentity").defaultValue = "Unknown"
        builder.attribute("Hero.name").validationRules = [
            ValidationRule(.minimumLength(1)), ValidationRule(.maximumLength(20)),
        ]
        builder.attribute("Hero.address").validationRules = [
            ValidationRule(.pattern(#"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b"#))
        ]
        builder.attribute("Hero.hired").validationRules = [
            ValidationRule(.earliest(Date(timeIntervalSinceReferenceDate: 0))),
            ValidationRule(.latest(Date(timeIntervalSinceReferenceDate: 1000))),
        ]
        for key in ["age", "initials"] { builder.attribute("Hero.\(key)").isTransient = true }
        builder.attribute("Hero.initials").isOptional = false
        return builder.model
    }
}

/// A hero with rules of its own in every form, and a log of what was called.
final class GuardedHero: NSManagedObject {
    static let domain = "com.oz-apps.SuperDB.HeroValidationDomain"

    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name", \GuardedHero.name).validated { object, value in
            (object as? GuardedHero)?.log.append("name")
            if value as? String == "endlessSavePreparation" { object.setValue("never still", forKey: "secretIdentity") }
        },
        .stored("birthDate").validated(by: GuardedHero.validateBirthDate),
        .stored("phone").validated(by: GuardedHero.validatePhone),
        .stored("guardian").validated { object, value in
            guard let hero = object as? GuardedHero, value as? NSManagedObject === hero else { return }
            value = hero.substitute
        },
        .custom(
            "age", get: { ($0.value(forKey: "birthDate") as? Date).map { Int(-$0.timeIntervalSinceNow / 31_557_600) } }),
        .custom("initials", get: { ($0.value(forKey: "name") as? String).flatMap(\.first).map(String.init) }),
        .stored("salary"),
        .custom("title", get: { _ in "title" }).validated { _, value in
            if value as? String == "Dr." { throw CocoaError(.featureUnsupported) }
        },
    ])

    var log: [String] = []
    var substitute: NSManagedObject?
    /// What `willSave` does once it is called for the given number of times.
    var changesInWillSave: [() -> Void] = []
    var whenValidated: (() throws -> Void)?

    var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }

    func validateBirthDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        log.append("birthDate")
        guard let date = value.pointee as? Date, date > Date() else { return }
        throw NSError(
            domain: Self.domain, code: 1000,
            userInfo: [NSLocalizedDescriptionKey: "Birthdate cannot be in the future", "place": "Earth"])
    }

    func validatePhone(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        log.append("phone")
        guard let text = value.pointee as? String else { return }
        switch text {
        case "flip": value.pointee = "flop" as NSString
        case "flop": value.pointee = "flip" as NSString
        case "drop": value.pointee = nil
        case "same": value.pointee = NSString(string: "same")
        case "5": value.pointee = NSNumber(value: 5)
        case let digits where digits.count == 11 && digits.allSatisfy(\.isNumber):
            let parts = [1..<4, 4..<7, 7..<11].map { range in
                String(digits.dropFirst(range.lowerBound).prefix(range.count))
            }
            value.pointee = "+\(digits.prefix(1)) (\(parts[0])) \(parts[1]) \(parts[2])" as NSString
        default: return
        }
    }

    override func willSave() {
        log.append("willSave")
        if !changesInWillSave.isEmpty { changesInWillSave.removeFirst()() }
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        log.append("insert")
        try whenValidated?()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        log.append("update")
        try whenValidated?()
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        log.append("delete")
    }
}

/// A person with rules over several properties, whose errors are added to those of the model.
final class GuardedPerson: NSManagedObject {
    override func validateForInsert() throws { try validate { try super.validateForInsert() } }

    override func validateForUpdate() throws { try validate { try super.validateForUpdate() } }

    override func validateForDelete() throws {
        try super.validateForDelete()
        guard age < 5 else { return }
        throw NSError(domain: GuardedHero.domain, code: 1003)
    }

    private var age: Int { (value(forKey: "age") as? Int) ?? 0 }

    private func isEmpty(_ key: String) -> Bool { (value(forKey: key) as? String ?? "").isEmpty }

    /// The shared part of both rules: all that is wrong, as one error.
    private func validate(_ rules: () throws -> Void) throws {
        var errors: [NSError] = []
        do { try rules() } catch { errors.append(error as NSError) }
        if isEmpty("name"), isEmpty("secretIdentity") {
            let text = "Must provide name or secret identity."
            errors.append(
                NSError(domain: GuardedHero.domain, code: 1001, userInfo: [NSLocalizedDescriptionKey: text]))
        }
        if age < 18, value(forKey: "guardian") == nil {
            errors.append(NSError(domain: GuardedHero.domain, code: 1002))
        }
        if errors.count == 1 { throw errors[0] }
        guard errors.isEmpty else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
                userInfo: [NSDetailedErrorsKey: errors])
        }
    }
}

extension NSManagedObjectContext {
    /// What a save fails with: each single error in order; nothing when it succeeds.
    func failuresOfSave() -> [NSError] {
        do {
            try save()
            return []
        } catch {
            let error = error as NSError
            return error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        }
    }
}
