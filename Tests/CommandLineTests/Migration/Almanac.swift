import CoreData
import StoreContract
import Testing

/// A store of the first of several versions of a model, with some events, heroes and powers.
struct Almanac {
    let models: ModelFolder
    let folder: URL
    let store: URL
    let package: String
    let kind: StoreKind

    /// - Parameter heroes: how many heroes there are; all have the name "Hero" and their number.
    init(heroes: Int = 3, store name: String = "Almanac.sqlite", kind: StoreKind = .sqlite) throws {
        self.kind = kind
        models = try ModelFolder()
        folder = try Scratch.folder()
        store = folder.appendingPathComponent(name)
        package = try models.package(
            "Almanac.xcdatamodeld", ("Two", Self.two), ("One", Self.one), ("Renamed", Self.renamed),
            ("Same", Self.same),
            ("Retyped", Self.retyped), ("RetypedTwo", Self.retypedTwo), ("Unique", Self.unique), ("Small", Self.small),
            ("Strict", Self.strict), ("Short", Self.short))
        try Self.fill(store, kind, heroes: heroes)
    }

    func remove() {
        models.remove()
        try? FileManager.default.removeItem(at: folder)
    }

    func migrate(_ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["migrate", store.path, "--to", package] + arguments)
    }

    /// The names of what is in the store's folder.
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    /// The backup beside the store.
    func backup() throws -> URL? {
        try files().first { $0.contains("-backup-") && $0.hasSuffix(".\(store.pathExtension)") }
            .map(folder.appendingPathComponent)
    }

    /// Opens a store with a version.
    func with<Result>(
        _ version: String, at url: URL? = nil, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let file = URL(fileURLWithPath: package).appendingPathComponent("\(version).xcdatamodel")
        let model = try #require(NSManagedObjectModel(contentsOf: file))
        let stack = try Stack(model, url: url ?? store, kind: kind)
        defer { try? stack.coordinator.remove(stack.store) }
        return try body(stack.context)
    }

    private static func fill(_ url: URL, _ kind: StoreKind, heroes: Int) throws {
        let model = try NSManagedObjectModel(source: Data(ModelFolder.source(one).utf8))
        let stack = try Stack(model, url: url, kind: kind)
        for number in 1...2 {
            stack.context.insert(
                "Event", ["timeStamp": Date(timeIntervalSinceReferenceDate: Double(number)), "title": "Event"])
        }
        for number in 0..<heroes {
            let hero = stack.context.insert("Hero", ["name": "Hero \(number)"])
            if number < 2 { hero.setValue(30 + number, forKey: "age") }
            stack.context.insert("Power", ["title": "Power"]).setValue(hero, forKey: "hero")
        }
        stack.context.insert("Hero", ["name": "Big"]).setValue(Data(repeating: 7, count: 300_000), forKey: "picture")
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    private static let event = """
        <attribute name="timeStamp" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        """
    private static let picture =
        #"<attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>"#
    private static let heroes = """
        <entity name="Hero"><attribute name="name" attributeType="String" maxValueString="20"/>\(picture)
        <attribute name="age" optional="YES" attributeType="Integer 32" usesScalarValueType="YES"/>
        <relationship name="powers" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
        """
    private static let power = """
        <entity name="Power"><attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/></entity>
        """
    private static let one = "<entity name=\"Event\">\(event)</entity>\(heroes)</entity>\(power)"
    /// A new attribute with a default, and a new entity.
    private static let two = """
        <entity name="City"><attribute name="name" optional="YES" attributeType="String"/></entity>
        <entity name="Event">\(event)</entity>\(heroes)
        <attribute name="color" optional="YES" attributeType="String" defaultValueString="blue"/></entity>\(power)
        """
    /// Another name of Event, and nothing that says that it is the same.
    private static let renamed = "<entity name=\"Occurrence\">\(event)</entity>\(heroes)</entity>\(power)"
    private static let same =
        "<entity name=\"Occurrence\" elementID=\"Event\">\(event)</entity>\(heroes)</entity>\(power)"
    private static let retyped = one.replacing(
        #"<attribute name="title" optional="YES" attributeType="String"/>"#,
        with: #"<attribute name="title" optional="YES" attributeType="Integer 64"/>"#)
    /// A new attribute besides.
    private static let retypedTwo = retyped.replacing(
        #"<attribute name="age""#,
        with: #"<attribute name="color" optional="YES" attributeType="String"/><attribute name="age""#)
    private static let unique = """
        <entity name="Event">\(event)<uniquenessConstraints><uniquenessConstraint><constraint value="title"/>\
        </uniquenessConstraint></uniquenessConstraints></entity>\(heroes)</entity>\(power)
        """
    /// A name has at most five characters, which most have not; the new attribute makes it another version.
    private static let strict = two.replacing(#"maxValueString="20""#, with: #"maxValueString="5""#)
    /// An age has at most sixteen bits.
    private static let short = one.replacing("Integer 32", with: "Integer 16")
    /// Fewer of all: no age, no powers.
    private static let small = """
        <entity name="Event">\(event)</entity><entity name="Hero">
        <attribute name="name" attributeType="String" maxValueString="20"/>\(picture)</entity>
        """
}
