import CoreData
import StoreContract
import Testing

/// A store of the first of several versions of a model between which little can be inferred.
struct Office {
    let models: ModelFolder
    let package: String

    init() throws {
        models = try ModelFolder()
        package = try models.package(
            "Office.xcdatamodeld", ("Two", Self.two), ("One", Self.one), ("More", Self.one + Self.city),
            ("Merged", Self.merged), ("Split", Self.split), ("Rivals", Self.rivals))
    }

    func remove() { models.remove() }

    /// The path of one version's model.
    func version(_ name: String) -> String { package + "/\(name).xcdatamodel" }

    func model(_ name: String) throws -> NSManagedObjectModel {
        try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: version(name))))
    }

    /// The folder that a scaffold is written to; it is not there yet.
    var folder: URL { models.url.appendingPathComponent("Scaffold") }

    func scaffold(_ arguments: String..., from version: String = "One") throws -> Tool.Outcome {
        try Tool.run(
            ["migrate", self.version(version), "--to", package, "--scaffold", folder.path] + arguments)
    }

    /// Makes a store of the first version, with two persons, their desks and a plant.
    func makeStore() throws -> URL {
        let url = models.url.appendingPathComponent("Office.sqlite")
        let stack = try Stack(try model("One"), url: url)
        for number in 1...2 {
            let person = stack.context.insert(
                "Person",
                [
                    "name": "Person \(number)", "age": 30 + number, "code": "C\(number)", "street": "Street",
                    "city": "City", "born": Date(timeIntervalSinceReferenceDate: Double(number)),
                ])
            for desk in 1...2 {
                stack.context.insert("Desk", ["number": number * 10 + desk, "label": "\(desk)"])
                    .setValue(person, forKey: "owner")
            }
        }
        stack.context.insert("Plant", ["name": "Fern"])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        return url
    }

    // MARK: Versions

    private static func attribute(_ name: String, _ type: String, _ more: String = #"optional="YES""#) -> String {
        "<attribute name=\"\(name)\" \(more) attributeType=\"\(type)\" usesScalarValueType=\"NO\"/>\n"
    }

    private static func entity(_ name: String, _ body: String..., more: String = "") -> String {
        "<entity name=\"\(name)\" \(more)>\n\(body.joined())</entity>\n"
    }

    private static let owner = """
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="desks" inverseEntity="Person"/>
        """
    private static func desks(_ count: String) -> String {
        "<relationship name=\"desks\" optional=\"YES\" \(count) deletionRule=\"Nullify\" destinationEntity=\"Desk\" inverseName=\"owner\" inverseEntity=\"Desk\"/>"
    }
    private static let plant = entity("Plant", attribute("name", "String"))
    private static let city = entity("City", attribute("name", "String"))
    private static let address = attribute("street", "String") + attribute("city", "String")
    private static let oldDesk = entity("Desk", attribute("number", "Integer 32"), attribute("label", "String"), owner)

    private static let one =
        entity(
            "Person", attribute("name", "String"), attribute("age", "Integer 32"), attribute("code", "String"),
            attribute("born", "Date"), address, desks(#"toMany="YES""#)) + oldDesk + plant
    /// Other types, required attributes, a relationship to one, and a part of persons as an entity of its own.
    private static let two =
        entity(
            "Person", attribute("name", "String"), attribute("age", "String"), attribute("code", "String", ""),
            attribute("born", "Double"), attribute("level", "Integer 16", ""), desks(#"maxCount="1""#))
        + entity("Address", address)
        + entity("Desk", attribute("number", "Integer 16"), attribute("label", "Integer 64"), owner) + plant
    /// Plants and desks inherit from what is new.
    private static let merged =
        entity("Thing", more: #"isAbstract="YES""#)
        + entity(
            "Person", attribute("name", "String"), attribute("age", "Integer 32"), attribute("code", "String"),
            attribute("born", "Date"), address, desks(#"toMany="YES""#))
        + entity(
            "Desk", attribute("number", "Integer 32"), attribute("label", "String"), owner,
            more: #"parentEntity="Thing""#)
        + entity("Plant", attribute("name", "String"), more: #"parentEntity="Thing""#)
    /// Desks are gone, and there are two that have what they had.
    private static let split =
        entity(
            "Person", attribute("name", "String"), attribute("age", "Integer 32"), attribute("code", "String"),
            attribute("born", "Date"), address)
        + entity("Table", attribute("number", "Integer 32"), attribute("label", "String"))
        + entity(
            "Bench", attribute("number", "Integer 32"), attribute("label", "String"), attribute("seats", "Integer 16"))
        + plant
    /// Two attributes that both were the name.
    private static let rivals =
        one.replacing(plant, with: "")
        + entity(
            "Plant", attribute("latin", "String", #"optional="YES" elementID="name""#),
            attribute("english", "String", #"optional="YES" elementID="name""#))
}
