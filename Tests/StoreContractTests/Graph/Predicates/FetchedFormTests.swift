import CoreData
import StoreContract
import Testing

/// Forms of predicates that a fetch answers as filtering the fetched objects does, on every kind of store.
@Suite struct FetchedFormTests {
    private func staff(_ kind: StoreKind) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Company", ["name": .stringAttributeType])
        builder.entity("Department", ["name": .stringAttributeType])
        builder.entity(
            "Employee",
            [
                "name": .stringAttributeType, "salary": .decimalAttributeType, "flags": .integer32AttributeType,
                "hired": .dateAttributeType, "left": .dateAttributeType, "notes": .transformableAttributeType,
            ])
        builder.entity("Manager", in: "Employee", ["level": .integer16AttributeType])
        builder.relationships("Department.company", "Company.departments*")
        builder.relationships("Employee.department", "Department.employees*")
        builder.relationships("Employee.mentors*", "Employee.pupils*")
        let stack = try Stack(builder.model, kind: kind)
        let context = stack.context
        let companies = ["A", "B"].map { context.insert("Company", ["name": $0]) }
        let departments = ["Sales", "Domestic Sales", "Shipping Department", "Design", nil].enumerated().map {
            let company: NSManagedObject? = $0.offset == 3 ? nil : companies[$0.offset % 2]
            return context.insert("Department", ["name": $0.element, "company": company])
        }
        var people: [NSManagedObject] = []
        for number in 0..<40 {
            let person = context.insert(
                number % 4 == 0 ? "Manager" : "Employee",
                [
                    "name": number % 7 == 0 ? nil : "Person \(number % 9)", "salary": Decimal(number) / 10,
                    "flags": number, "hired": Date(timeIntervalSinceReferenceDate: Double(number) * 1_000.5),
                    "left": number % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 2_000),
                ])
            if number % 5 > 0 { person.setValue(departments[number % 5 - 1], forKey: "department") }
            if number % 2 == 0 { person.setValue([number, 1], forKey: "notes") }
            if number > 3 { person.setValue(Set(people[(number - 3)...]), forKey: "mentors") }
            people.append(person)
        }
        try context.save()
        return stack
    }

    private static let formats = [
        "department.name ENDSWITH 'Sales'", "department.name != 'Sales'", "ANY mentors.salary > 2.5",
        "ALL pupils.salary >= 1", "NONE pupils.salary < 1", "(flags & 4) == 4", "entity.name == 'Manager'",
        "department.entity.name == nil", "ANY mentors.mentors.flags == 3", "ALL mentors.pupils.salary > 1",
        "ANY department.company.departments.name == 'Design'", "pupils.@sum.salary == 6.3", "pupils.@avg.salary > 1.05",
        "mentors.mentors.@count > 5", "median(pupils.flags) == 20", "salary * 3 == 0.3", "salary + 0.1 IN {0.3, 0.4}",
        "left - hired > 5000", "hired + 1000 < left", "CAST(hired, 'NSNumber') > 5000",
        "CAST(flags, 'NSString') == '7'",
        "SELF IN (mentors UNION pupils)", "ANY (mentors MINUS pupils) != nil", "ANY pupils.notes == nil",
        "ALL pupils.notes != nil", "max({flags, 20}) == 20", "'Person 3' IN pupils.@distinctUnionOfObjects.name",
        "SUBQUERY(pupils, $p, $p.salary > salary AND $p.department == department).@count > 0",
        "SUBQUERY(mentors, $m, SUBQUERY($m.mentors, $n, $n.flags == flags - 2).@count > 0).@count == 1",
        "NOT department.company.name == 'A'", "TERNARY(left == nil, hired, left) > hired",
    ]

    @Test(
        "a fetch finds what filtering the objects finds (PRD-11 to PRD-17, PRD-27)", arguments: StoreKind.all)
    func fetchAgreesWithFiltering(kind: StoreKind) throws {
        let stack = try staff(kind)
        let all = try stack.context.all("Employee")
        for format in Self.formats {
            let predicate = NSPredicate(format: format)
            let found = try Set(stack.context.all("Employee", predicate).map(\.objectID))
            let expected = try Set(all.filter { try evaluation(of: predicate, on: $0) }.map(\.objectID))
            #expect(found == expected, "\(format)")
        }
    }

    @Test(
        "objects compare by identity, those of another context and unsaved ones included (PRD-09)",
        arguments: StoreKind.all)
    func objectsCompareByIdentity(kind: StoreKind) throws {
        let stack = try staff(kind)
        let other = stack.newContext()
        let sales = try #require(try other.all("Department", NSPredicate(format: "name == 'Sales'")).first)
        let found = try stack.context.all("Employee", NSPredicate(format: "department == %@", sales))
        #expect(found.count == 8)
        let unsaved = stack.context.insert("Department", ["name": "New"])
        #expect(try other.all("Employee", NSPredicate(format: "department == %@", unsaved)).isEmpty)
        #expect(try other.all("Employee", NSPredicate(format: "department != %@", unsaved)).count == 40)
        #expect(try stack.context.all("Department", NSPredicate(format: "self == %@", unsaved)) == [unsaved])
        found[0].setValue(unsaved, forKey: "department")
        #expect(try stack.context.all("Employee", NSPredicate(format: "department == %@", unsaved)) == [found[0]])
        #expect(try stack.context.all("Employee", NSPredicate(format: "department == %@", sales)).count == 7)
    }

    @Test(
        "the source of a fetched property is bound and left out by identity (PRD-22, PRD-23)", arguments: StoreKind.all)
    func fetchSourceIsBound(kind: StoreKind) throws {
        let stack = try staff(kind)
        let all = try stack.context.all("Employee", sortedBy: "flags")
        let predicate = NSPredicate(format: "$FETCH_SOURCE.name == name AND $FETCH_SOURCE != SELF")
            .withSubstitutionVariables(["FETCH_SOURCE": all[3]])
        let found = try stack.context.all("Employee", predicate, sortedBy: "flags")
        #expect(found.compactMap { $0.value(forKey: "flags") as? Int } == [12, 30, 39])
    }

    @Test("the expression of a description makes the value of its column (PRD-28)")
    func expressionOfDescriptionHasValue() throws {
        let stack = try staff(.inMemory)
        let all = try stack.context.all("Employee")
        let description = NSExpressionDescription()
        description.name = "highest"
        description.expression = NSExpression(
            forFunction: "max:", arguments: [NSExpression(forKeyPath: "salary")])
        description.expressionResultType = .decimalAttributeType
        let value = try #require(description.expression).value(on: all)
        #expect(value as? Decimal == Decimal(39) / 10)
        withExtendedLifetime(stack) {}
        #expect(description.name == "highest" && description.resultType == .decimal)
    }
}
