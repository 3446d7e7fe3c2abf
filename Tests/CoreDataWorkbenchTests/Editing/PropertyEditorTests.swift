import CoreData
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

/// The one way in which commands, imports and the page give properties their values.
@Suite struct PropertyEditorTests {
    /// Objects by their names.
    private struct NamedObjects: EditTargets {
        struct Unknown: Error {}
        let objects: [String: NSManagedObject]

        func object(_ name: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject {
            guard let object = objects[name] else { throw Unknown() }
            return object
        }
    }

    private struct Company {
        let stack: Stack
        let department: NSManagedObject
        let tasks: [NSManagedObject]
        let editor: PropertyEditor

        init() throws {
            stack = try Stack(CompanyModel.make())
            department = stack.context.insert("Department", ["name": "D"])
            tasks = (0..<4).map { [context = stack.context] in context.insert("Task", ["name": "T\($0)"]) }
            department.setValue(NSOrderedSet(array: Array(tasks[..<3])), forKey: "tasks")
            try stack.context.save()
            var objects = ["D": department]
            for (number, task) in tasks.enumerated() { objects["T\(number)"] = task }
            editor = PropertyEditor(
                stack.store, reader: PropertyReader(stack.context), targets: NamedObjects(objects: objects),
                numbers: .allDigits)
        }

        func apply(_ edit: Edit, _ key: String = "tasks") throws -> Bool {
            try editor.apply(edit, to: key, of: department)
        }

        var order: [String] {
            PropertyEditor.members(department.value(forKey: "tasks")).compactMap { $0.value(forKey: "name") as? String }
        }
    }

    private static func names(_ names: String...) -> EditValue { .json(.array(names.map { .string($0) })) }

    @Test("ordered members are set, added, removed and moved; an edit to what is there changes nothing (TOOL-17)")
    func membersAreEdited() throws {
        let company = try Company()
        #expect(try !company.apply(.set(Self.names("T0", "T1", "T2"))))
        #expect(try !company.apply(.add(Self.names("T1"), at: 0)))
        #expect(try !company.apply(.remove(Self.names("T3"))))
        #expect(try !company.apply(.move(from: 1, to: 1)))
        #expect(!company.stack.context.hasChanges)
        #expect(try company.apply(.add(Self.names("T3", "T0", "T3"), at: 1)))
        #expect(company.order == ["T0", "T3", "T1", "T2"])
        #expect(try company.apply(.move(from: 3, to: 0)) && company.order == ["T2", "T0", "T3", "T1"])
        #expect(try company.apply(.remove(.text("T0,T3"))) && company.order == ["T2", "T1"])
        #expect(try company.apply(.add(.field("T0 T3"))) && company.order == ["T2", "T1", "T0", "T3"])
        #expect(try company.apply(.set(.text("[T1,T2]"))) && company.order == ["T1", "T2"])
        for value in [EditValue.null, .json(.null), .text("@null")] {
            #expect(try company.apply(.set(Self.names("T1"))) && company.apply(.set(value)) && company.order.isEmpty)
        }
    }

    @Test("any form of value leads a to-one relationship elsewhere, and no object of another entity (TOOL-17)")
    func targetIsSet() throws {
        let company = try Company()
        let task = company.tasks[3]
        let relationship = try #require(
            task.entity.relationshipsByName.values.first { $0.destinationEntity?.name == "Department" })
        for value in [EditValue.json(.string("D")), .text("D"), .field("D")] {
            #expect(try company.editor.apply(.set(value), to: relationship.name, of: task))
            #expect(task.value(forKey: relationship.name) as? NSManagedObject === company.department)
            #expect(try !company.editor.apply(.set(value), to: relationship.name, of: task))
            #expect(try company.editor.apply(.set(.null), to: relationship.name, of: task))
        }
        let wrong = #expect(throws: InspectionError.self) {
            try company.editor.apply(.set(.text("T1")), to: relationship.name, of: task)
        }
        let reason = "an object of entity 'Task' is not of entity 'Department', to which the relationship leads"
        #expect(wrong?.cause == reason)
        #expect(throws: NamedObjects.Unknown.self) {
            try company.editor.apply(.set(.text("X")), to: relationship.name, of: task)
        }
        #expect(throws: InspectionError.self) {
            try company.editor.apply(.set(.json(.bool(true))), to: relationship.name, of: task)
        }
        #expect(throws: InspectionError.self) { try company.apply(.add(.text("T1")), "name") }
        #expect(throws: InspectionError.self) { try company.apply(.move(from: 0, to: 9)) }
        #expect(throws: InspectionError.self) { try company.apply(.set(.text("x")), "nome") }
    }

    @Test("one rule says what can be set, and a text that only looks the same is another (TOOL-17)")
    func oneRule() throws {
        let builder = ModelBuilder()
        builder.entity("Thing", ["name": .stringAttributeType, "size": .integer16AttributeType])
        let passing = NSAttributeDescription()
        (passing.name, passing.attributeType, passing.isTransient) = ("passing", .stringAttributeType, true)
        builder["Thing"].properties.append(passing)
        let stack = try Stack(builder.model)
        let thing = stack.context.insert("Thing", ["name": "caf\u{e9}"])
        try stack.context.save()
        let editor = PropertyEditor(
            stack.store, reader: PropertyReader(stack.context), targets: NamedObjects(objects: [:]), numbers: .none)
        #expect(try !editor.apply(.set(.json(.string("caf\u{e9}"))), to: "name", of: thing))
        #expect(try editor.apply(.set(.json(.string("cafe\u{301}"))), to: "name", of: thing))
        let unset = #expect(throws: InspectionError.self) {
            try editor.apply(.set(.text("x")), to: "passing", of: thing)
        }
        #expect(unset?.cause == "the property is not stored and cannot be set")
        let large = #expect(throws: InspectionError.self) {
            try editor.apply(.set(.text("70000")), to: "size", of: thing)
        }
        #expect(large?.code == .badValue && large?.subject == "size")
        #expect(thing.value(forKey: "size") == nil)
    }
}
