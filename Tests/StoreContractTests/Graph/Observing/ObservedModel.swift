import CoreData
import StoreContract

/// People whose year of birth, loans whose payment and invoices whose total follow from other properties, and albums
/// with tracks in an order.
enum ObservedModel {
    static func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Person", class: "StoreContractTests.Person", ["dateOfBirth": .dateAttributeType])
        builder.entity("Pupil", in: "Person", class: "StoreContractTests.Pupil", ["grade": .integer16AttributeType])
        builder.entity(
            "Loan", class: "StoreContractTests.Loan",
            ["interestRate": .doubleAttributeType, "principal": .doubleAttributeType])
        builder.entity(
            "Invoice", class: "StoreContractTests.Invoice",
            ["subtotal": .doubleAttributeType, "taxRate": .doubleAttributeType])
        builder.entity("Album", ["title": .stringAttributeType])
        builder.entity("Track", ["title": .stringAttributeType])
        builder.relationships("Album.tracks*!", "Track.album")
        builder.relationship("Loan.debtor", to: "Person")
        return try Stack(builder.model, kind: kind)
    }
}

/// Says by an override what a key depends on.
class Person: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("dateOfBirth", \Person.dateOfBirth),
        .custom("yearOfBirth", \Person.yearOfBirth, get: { ($0 as? Person)?.yearOfBirth }),
    ])

    var dateOfBirth: Date? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var yearOfBirth: Int { dateOfBirth.map { 2001 + Int($0.timeIntervalSinceReferenceDate / 31_556_952) } ?? 0 }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "yearOfBirth" ? ["dateOfBirth"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
}

final class Pupil: Person {
    override class var propertyTable: PropertyTable { pupilTable }
    private static let pupilTable = PropertyTable(
        extending: Person.propertyTable, [.stored("grade", \Pupil.grade)],
        inherited: [\Pupil.dateOfBirth: "dateOfBirth"])

    var grade: Int16 {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
}

/// Says in its property table what a key depends on, here also beyond the object.
final class Loan: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("interestRate", \Loan.interestRate), .stored("principal", \Loan.principal),
        .stored("debtor", \Loan.debtor),
        .custom("monthlyPayment", \Loan.monthlyPayment, get: { ($0 as? Loan)?.monthlyPayment })
            .affected(by: ["interestRate", "principal"]),
        .custom("debtorsYear", \Loan.debtorsYear, get: { ($0 as? Loan)?.debtorsYear })
            .affected(by: ["debtor.yearOfBirth"]),
    ])

    var interestRate: Double {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var principal: Double {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var debtor: Person? {
        get { toOne(2) }
        set { setToOne(2, newValue) }
    }
    var monthlyPayment: Double { principal * interestRate / 12 }
    var debtorsYear: Int { debtor?.yearOfBirth ?? 0 }
}

final class Invoice: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("subtotal", \Invoice.subtotal), .stored("taxRate", \Invoice.taxRate),
        .custom("totalDue", \Invoice.totalDue, get: { ($0 as? Invoice)?.totalDue })
            .affected(by: ["subtotal", "taxRate"]),
    ])

    var subtotal: Double {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var taxRate: Double {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var totalDue: Double { (subtotal * (1 + taxRate) * 100).rounded() / 100 }
}

/// Writes down what it is told.
final class Listener: KeyValueObserver {
    var heard: [String] = []
    var changes: [[NSKeyValueChangeKey: Any]] = []
    weak var object: NSManagedObject?

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        let change = change ?? [:]
        changes.append(change)
        self.object = object as? NSManagedObject
        let prior = change[.notificationIsPriorKey] == nil ? "" : " prior"
        heard.append("\(keyPath ?? "?") \(Self.text(change[.oldKey]))>\(Self.text(change[.newKey]))\(prior)")
    }

    /// A value in a form that does not depend on the order of sets.
    static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let object as NSManagedObject: name(object)
        case let set as NSSet: "{\(set.allObjects.map(text).sorted().joined(separator: ","))}"
        case let set as NSOrderedSet: "[\(set.array.map(text).joined(separator: ","))]"
        case let set as Set<NSManagedObject>: "{\(set.map(text).sorted().joined(separator: ","))}"
        case let list as [Any]: "[\(list.map(text).joined(separator: ","))]"
        case let value?: "\(value)"
        }
    }

    private static func name(_ object: NSManagedObject) -> String {
        let key = object.entity.attributesByName["title"] == nil ? "name" : "title"
        return object.value(forKey: key) as? String ?? "?"
    }
}

extension NSManagedObject {
    /// Observes a key path by name, with a listener that is to be kept.
    func listen(
        _ keyPath: String, _ options: NSKeyValueObservingOptions = [.old, .new]
    ) -> Listener {
        let listener = Listener()
        addObserver(listener, forKeyPath: keyPath, options: options)
        return listener
    }
}
