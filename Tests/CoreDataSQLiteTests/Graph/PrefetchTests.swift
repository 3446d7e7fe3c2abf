import CoreData
import SQLiteKit
import StoreContract
import Testing

/// What prefetching costs, in statements.
@Suite struct PrefetchTests {
    private static func company(_ employees: Int) throws -> Stack {
        let stack = try Stack(CompanyModel.make())
        let writer = stack.newContext()
        try CompanyModel.fill(writer, employees: employees, seed: 5)
        return stack
    }

    private static func request(_ entity: String, _ paths: String...) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = paths
        return request
    }

    private static func touch(_ object: NSManagedObject, _ path: ArraySlice<String>) {
        _ = object.value(forKey: "name")
        guard let key = path.first else { return }
        let value = object.value(forKey: key)
        let related: [Any] =
            (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? (value.map { [$0] } ?? [])
        for case let other as NSManagedObject in related { touch(other, path.dropFirst()) }
    }

    @Test(
        "one statement more for each relationship of any shape, and none on access (FET-09)",
        arguments: [
            ("Employee", ["department"]), ("Employee", ["address"]), ("Address", ["resident"]),
            ("Department", ["employees"]), ("Department", ["tasks"]), ("Department", ["head"]),
            ("Employee", ["projects"]), ("Project", ["members"]), ("Project", ["reviewers"]), ("Employee", ["reviews"]),
            ("Employee", ["friends"]), ("Employee", ["superior"]), ("Employee", ["reports"]), ("Notice", ["readers"]),
            ("Notice", ["subject"]), ("Manager", ["heads"]),
            ("Address", ["resident", "department", "tasks"]),
            ("Employee", ["department", "employees", "address"]),
            ("Project", ["members", "department", "head", "friends"]),
        ])
    func oneStatementEach(entity: String, path: [String]) throws {
        let stack = try Self.company(80)
        var objects: [NSManagedObject] = []
        let joined = path.joined(separator: ".")
        let log = try stack.statements { objects = try stack.context.fetch(Self.request(entity, joined)) }
        // A step all of whose objects are known already needs none.
        #expect(log.count <= 1 + path.count, "\(log)")
        #expect(!objects.isEmpty && objects.allSatisfy(\.isFault))
        stack.expectStatements(0) { for object in objects { Self.touch(object, path[...]) } }
    }

    @Test("members with a column for their owner come by its index, without a sort")
    func membersAreNotSorted() throws {
        let stack = try Self.company(80)
        let log = try stack.statements { _ = try stack.context.fetch(Self.request("Department", "employees")) }
        let text = try #require(log.first { $0.contains("json_each") })
        let plan = try stack.rows("EXPLAIN QUERY PLAN \(text)", [.text("[1,2,3]")]).compactMap { $0.last?.text }
        #expect(plan.contains { $0.contains("USING INDEX") }, "\(plan)")
        #expect(!plan.contains { $0.contains("B-TREE") }, "\(plan)")
    }

    @Test("paths with a common beginning share its statements (FET-09)")
    func commonBeginning() throws {
        let stack = try Self.company(40)
        var objects: [NSManagedObject] = []
        let count = try stack.statementCount {
            objects = try stack.context.fetch(
                Self.request("Notice", "readers.address", "readers.projects", "readers", "readers.projects"))
        }
        #expect(count == 4 && !objects.isEmpty)
    }

    @Test("10,000 to-one relationships cost one statement, and so do 10,000 to-many ones (FET-09)")
    func manyRows() throws {
        let builder = ModelBuilder()
        for name in ["Employee", "Department", "Desk"] { builder.entity(name, ["name": .stringAttributeType]) }
        builder.relationships("Department.employees*", "Employee.department")
        builder.relationships("Employee.desk", "Desk.owner")
        let stack = try Stack(builder.model)
        let writer = stack.newContext()
        let departments = (0..<40).map { writer.insert("Department", ["name": "D\($0)"]) }
        for number in 0..<10_000 {
            let desk = writer.insert("Desk", ["name": "K\(number)"])
            writer.insert("Employee", ["name": "E\(number)", "desk": desk, "department": departments[number % 40]])
        }
        try writer.save()
        writer.reset()
        let context = stack.newContext()
        var employees: [NSManagedObject] = []
        try stack.expectStatements(3) {
            employees = try context.fetch(Self.request("Employee", "desk", "department"))
        }
        stack.expectStatements(0) {
            for employee in employees {
                let number = (employee.value(forKey: "name") as? String)?.dropFirst() ?? ""
                let desk = employee.value(forKeyPath: "desk.name") as? String
                #expect(desk == "K\(number)")
                #expect(employee.value(forKeyPath: "department.name") as? String == "D\((Int(number) ?? -1) % 40)")
            }
        }
        employees = []
        context.reset()
        let second = stack.newContext()
        var desks: [NSManagedObject] = []
        try stack.expectStatements(4) {
            desks = try second.fetch(Self.request("Desk", "owner.department.employees"))
        }
        stack.expectStatements(0) {
            for desk in desks {
                #expect((desk.value(forKeyPath: "owner.department.employees") as? NSSet)?.count == 250)
            }
        }
        #expect(second.registeredObjects.count == 20_040)
    }

    @Test("objects that the context has already are prefetched for, too (FET-09)")
    func knownObjects() throws {
        let stack = try Self.company(40)
        let known = try stack.context.all("Department")
        for department in known { _ = department.value(forKey: "name") }
        for department in known.prefix(2) { _ = department.value(forKey: "employees") }
        _ = try stack.context.fetch(Self.request("Department", "employees.address"))
        stack.expectStatements(0) { for object in known { Self.touch(object, ["employees", "address"]) } }
    }

    @Test("paths that lead nowhere are refused by name (FET-09)")
    func wrongPaths() throws {
        let stack = try Self.company(5)
        for path in ["employes", "employees.name", "", "employees.", "employees..address", ".", "name"] {
            let error = #expect(throws: NSError.self) {
                _ = try stack.context.fetch(Self.request("Department", path))
            }
            #expect(error?.code == NSCoreDataError)
            #expect(error?.localizedDescription.contains("Department") == true || path.contains("."))
        }
        let error = #expect(throws: NSError.self) {
            _ = try stack.context.fetch(Self.request("Department", "employes"))
        }
        #expect(error?.localizedRecoverySuggestion?.contains("employees") == true)
        let deep = Array(repeating: "superior.reports", count: 2_000).joined(separator: ".")
        #expect(try stack.context.fetch(Self.request("Employee", deep)).count == 5)
    }

    @Test("counts and identifiers prefetch nothing, and a copy of a request keeps the paths (FET-09)")
    func otherResults() throws {
        let stack = try Self.company(20)
        let request = Self.request("Department", "employees")
        try stack.expectStatements(1) { _ = try stack.context.count(for: request) }
        #expect((request.copy() as? UntypedFetchRequest)?.relationshipKeyPathsForPrefetching == ["employees"])
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Department")
        ids.resultType = .managedObjectIDResultType
        ids.relationshipKeyPathsForPrefetching = ["employees"]
        var found: [NSManagedObjectID] = []
        try stack.expectStatements(1) { found = try stack.context.fetch(ids) }
        #expect(found.count == 2)
    }

    @Test("a record whose reference leads nowhere is left to be asked for (FET-09)")
    func danglingReference() throws {
        let stack = try HeroModel.stack()
        let hero = stack.context.insert("Hero", ["name": "Ann"])
        stack.context.insert("Power", ["name": "Flight", "hero": hero])
        try stack.context.save()
        stack.context.reset()
        try stack.execute("UPDATE ZPOWER SET ZHERO = 77")
        stack.context.dataErrorHandler = { _, _ in }
        let power = try #require(try stack.context.fetch(Self.request("Power", "hero.powers")).first)
        #expect(power.value(forKeyPath: "hero.name") == nil)
    }
}
