import CoreData
import StoreContract
import Testing

@Suite struct CustomAccessorTests {
    private func stack(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity(
            "Figure", class: "StoreContractTests.Figure",
            [
                "firstName": .stringAttributeType, "lastName": .stringAttributeType, "birthDate": .dateAttributeType,
                "dateOfDeath": .dateAttributeType, "deceased": .booleanAttributeType,
                "eyeColor": .undefinedAttributeType, "eyeColorData": .binaryDataAttributeType,
                "mood": .stringAttributeType, "today": .dateAttributeType,
            ])
        for name in ["eyeColor", "mood"] { builder.attribute("Figure.\(name)").isTransient = true }
        builder.attribute("Figure.firstName").defaultValue = "Untitled"
        builder.attribute("Figure.deceased").defaultValue = false
        return try Stack(builder.model, kind: kind)
    }

    @Test(
        "defaults of the model and of awakeFromInsert, in objects from a factory (VAL-01, VAL-02, KVC-21)",
        arguments: StoreKind.all)
    func defaultsOfModelAndOfAwakeFromInsert(kind: StoreKind) throws {
        let stack = try stack(kind)
        let figure = Figure.random(in: stack.context)
        #expect(figure.isInserted && figure.value(forKey: "firstName") as? String == "Untitled" && !figure.deceased)
        #expect(figure.value(forKey: "today") as? Date == Figure.today && figure.lastName == "Random")
        try stack.context.save()
        let other = stack.newContext()
        let again = try #require(try other.all("Figure").first as? Figure)
        #expect(again.value(forKey: "today") as? Date == Figure.today && again.awakenings == 0)
        #expect(figure.awakenings == 1)
    }

    @Test("a setter with a side effect changes both properties (KVC-10)", arguments: StoreKind.all)
    func setterWithSideEffect(kind: StoreKind) throws {
        let stack = try stack(kind)
        let figure = Figure(context: stack.context)
        figure.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "dateOfDeath")
        #expect(figure.deceased)
        figure.dateOfDeath = nil
        #expect(!figure.deceased && figure.value(forKey: "deceased") as? Bool == false)
    }

    @Test(
        "computed properties are read by key, change on birthdays and cannot be set (KVC-14, KVC-15)",
        arguments: StoreKind.all)
    func computedProperties(kind: StoreKind) throws {
        let figure = Figure(context: try stack(kind).context)
        let calendar = Calendar(identifier: .gregorian)
        #expect(figure.value(forKey: "age") == nil)
        for (days, age) in [(0, 30), (1, 29), (-1, 30)] {
            let birthday = calendar.date(byAdding: .year, value: -30, to: Figure.today)
            figure.birthDate = birthday.flatMap { calendar.date(byAdding: .day, value: days, to: $0) }
            #expect(figure.value(forKey: "age") as? Int == age)
        }
        figure.setValue("Doe", forKey: "lastName")
        #expect(figure.value(forKey: "fullName") as? String == "Untitled Doe")
        #expect(throws: ValueRejection.self) { try figure.setCodedValue(5, forKey: "age") }
    }

    @Test("a plain stored property changes nothing that is saved (KVC-16)", arguments: StoreKind.all)
    func unmodelledProperty(kind: StoreKind) throws {
        let stack = try stack(kind)
        let figure = Figure(context: stack.context)
        try stack.context.save()
        figure.connection = "open"
        #expect(!figure.hasChanges && !stack.context.hasChanges)
    }

    @Test(
        "a transient attribute marks its object as changed and is in no other context (KVC-17)",
        arguments: StoreKind.all
    )
    func transientAttribute(kind: StoreKind) throws {
        let stack = try stack(kind)
        let figure = Figure(context: stack.context)
        try stack.context.save()
        figure.setValue("glad", forKey: "mood")
        #expect(figure.hasChanges && figure.changedValues()["mood"] as? String == "glad")
        #expect(figure.committedValues(forKeys: ["mood"])["mood"] == nil && !figure.hasPersistentChangedValues)
        try stack.context.save()
        #expect(figure.value(forKey: "mood") as? String == "glad" && !figure.hasChanges)
        let other = stack.newContext()
        #expect(try other.all("Figure").first?.value(forKey: "mood") == nil)
    }

    @Test(
        "a transient value is encoded once when it is saved and decoded when it is first read (KVC-18)",
        arguments: StoreKind.all)
    func transientOverStored(kind: StoreKind) throws {
        let stack = try stack(kind)
        let figure = Figure(context: stack.context)
        figure.eyeColor = [1, 0.5, 0, 1]
        #expect(figure.value(forKey: "eyeColorData") == nil)
        try stack.context.save()
        let other = stack.newContext()
        let again = try #require(try other.all("Figure").first as? Figure)
        #expect(again.decodings == 0)
        #expect(again.eyeColor == [1, 0.5, 0, 1] && again.eyeColor?.count == 4 && again.decodings == 1)
        again.eyeColorData = Data([2])
        #expect(again.eyeColor == [2])
        #expect(figure.encodings == 1)
    }
}

/// A person with accessors of its own: side effects, computed keys, and a transient value kept as data.
final class Figure: NSManagedObject {
    static let today = Date(timeIntervalSinceReferenceDate: 700_000_000)

    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("firstName"), .stored("lastName"), .stored("birthDate"), .stored("deceased"),
        .custom(
            "dateOfDeath", \Figure.dateOfDeath, get: { ($0 as? Figure)?.dateOfDeath },
            set: { ($0 as? Figure)?.dateOfDeath = $1 as? Date }),
        .custom("age", \Figure.age, get: { ($0 as? Figure)?.age }),
        .custom("fullName", \Figure.fullName, get: { ($0 as? Figure)?.fullName }),
        .custom(
            "eyeColorData", \Figure.eyeColorData, get: { ($0 as? Figure)?.eyeColorData },
            set: { ($0 as? Figure)?.eyeColorData = $1 as? Data }),
    ])

    var connection: String?
    private(set) var awakenings = 0
    private(set) var encodings = 0
    private(set) var decodings = 0

    static func random(in context: NSManagedObjectContext) -> Figure {
        let figure = Figure(context: context)
        figure.lastName = "Random"
        return figure
    }

    override func awakeFromInsert() {
        awakenings += 1
        setPrimitiveValue(Self.today, forKey: "today")
    }

    override func willSave() {
        guard let color = primitiveValue(forKey: "eyeColor") as? [Double], primitiveValue(forKey: "eyeColorData") == nil
        else { return }
        encodings += 1
        setPrimitiveValue(Data(color.map { UInt8($0 * 2) }), forKey: "eyeColorData")
    }

    var lastName: String? {
        get { attribute(1) }
        set { setAttribute(1, newValue) }
    }
    var birthDate: Date? {
        get { attribute(2) }
        set { setAttribute(2, newValue) }
    }
    var deceased: Bool {
        get { attribute(3) }
        set { setAttribute(3, newValue) }
    }
    var dateOfDeath: Date? {
        get { primitiveValue(forKey: "dateOfDeath") as? Date }
        set {
            willChangeValue(forKey: "dateOfDeath")
            setPrimitiveValue(newValue, forKey: "dateOfDeath")
            didChangeValue(forKey: "dateOfDeath")
            deceased = newValue != nil
        }
    }
    var fullName: String {
        [keyedValues.firstName, lastName].compactMap { $0 }.joined(separator: " ")
    }
    var age: Int? {
        birthDate.flatMap {
            Calendar(identifier: .gregorian).dateComponents([.year], from: $0, to: Self.today).year
        }
    }
    var eyeColorData: Data? {
        get { primitiveValue(forKey: "eyeColorData") as? Data }
        set {
            willChangeValue(forKey: "eyeColorData")
            setPrimitiveValue(newValue, forKey: "eyeColorData")
            setPrimitiveValue(nil, forKey: "eyeColor")
            didChangeValue(forKey: "eyeColorData")
        }
    }
    var eyeColor: [Double]? {
        get {
            if let known = primitiveValue(forKey: "eyeColor") as? [Double] { return known }
            guard let data = eyeColorData else { return nil }
            decodings += 1
            let color = data.count == 1 ? [Double(data[0])] : data.map { Double($0) / 2 }
            setPrimitiveValue(color, forKey: "eyeColor")
            return color
        }
        set {
            willChangeValue(forKey: "eyeColor")
            setPrimitiveValue(newValue, forKey: "eyeColor")
            setPrimitiveValue(nil, forKey: "eyeColorData")
            didChangeValue(forKey: "eyeColor")
        }
    }
}
