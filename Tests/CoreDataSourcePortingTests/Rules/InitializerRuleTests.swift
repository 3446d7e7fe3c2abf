import CoreDataSourcePorting
import Testing

@Suite struct InitializerRuleTests {
    private let initializer = "init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?)"

    @Test("an override of the initializer that makes objects becomes required")
    func overrideOfInitializerThatMakesObjectsBecomesRequired() throws {
        let text = try ported("class A: NSManagedObject {\n    public override \(initializer) {}\n}").text
        #expect(text == "class A: NSManagedObject {\n    public required override \(initializer) {}\n}")
        #expect(try ported(text).text == text)
    }

    @Test("an override of a managed object's init(context:) becomes required, in no other class and no extension")
    func contextInitializer() throws {
        let parameter = "(context: NSManagedObjectContext) {}"
        let source = """
            class A: NSManagedObject {}
            class B: A { @discardableResult public convenience init\(parameter) }
            class C: NSManagedObject { required init\(initializer.dropFirst(4)) {}; init\(parameter) }
            class List { init\(parameter) }
            extension List { convenience init\(parameter) }
            """
        let expected = source.replacing("public convenience", with: "public required convenience")
            .replacing("; init(context", with: "; required init(context")
        let text = try ported(source).text
        #expect(text == expected)
        #expect(try ported(text).text == text)
    }

    @Test("an override of the coordinator's initializer becomes required")
    func overrideOfCoordinatorsInitializerBecomesRequired() throws {
        let source = "class C: NSPersistentStoreCoordinator { override init(managedObjectModel model: Model) {} }"
        #expect(try ported(source).text == source.replacing("override", with: "required override"))
        let other = "class C: NSPersistentStoreCoordinator { init(managedObjectModel model: Model, x: Int) {} }"
        #expect(try ported(other).text == other)
    }

    @Test("a class whose initializers hide it gets it again, also below another class")
    func classWhoseInitializersHideItGetsItAgain() throws {
        let source = """
            class A: NSManagedObject {}
            open class B: A {
              var a = 1, b: Int?, c: Int { 1 }
              lazy var d = 2
              @NSManaged var e: Int
              init(x: Int, context: NSManagedObjectContext) {
                super.init(entity: B.entity(), insertInto: context)
              }
            }
            class C: Other { init(x: Int) {} }
            class D: NSManagedObject { convenience init(x: Int) { self.init() } }
            """
        let expected = """
              #if !canImport(ObjectiveC)
              required public \(initializer) {
                  super.init(entity: entity, insertInto: context)
              }
              #endif
            }
            class C: Other { init(x: Int) {} }
            """
        let text = try ported(source).text
        #expect(text.contains(expected) && text.components(separatedBy: "#if").count == 2)
        #expect(try ported(text).text == text)
    }

    @Test(
        "it is as visible as subclasses elsewhere need it",
        arguments: [("package ", "package "), ("public final ", "public "), ("", ""), ("fileprivate ", "")])
    func itIsAsVisibleAsSubclassesElsewhereNeed(_ modifiers: String, _ expected: String) throws {
        let source = "\(modifiers)class A: NSManagedObject { init(x: Int) { super.init(entity: e, insertInto: nil) } }"
        #expect(try ported(source).text.contains(" required \(expected)init(entity:"))
    }

    @Test("a property without a value is the author's to set", arguments: ["let a: Int", "var a: Int { didSet {} }"])
    func valueNeeded(_ property: String) throws {
        let source = "class A: NSManagedObject { \(property); init(x: Int) { super.init(entity: e, insertInto: nil) } }"
        let (text, findings) = try ported(source)
        #expect(text == source && findings.count == 1)
    }
}
