import CoreDataGraph
import StoreContract
import TestBasics
import Testing

@Suite struct TemplateTests {
    private func peopleModel() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Employee", ["height": .integer32AttributeType, "lastName": .stringAttributeType])
        let tall = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
        tall.predicate = NSPredicate(format: "height > 80")
        tall.sortDescriptors = [
            NSSortDescriptor(key: "lastName", ascending: false, selector: "caseInsensitiveCompare:")
        ]
        tall.fetchLimit = 2
        builder.model.setFetchRequestTemplate(tall, forName: "canChangeLightBulb")
        let named = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        named.predicate = NSPredicate(format: "lastName == $LAST_NAME")
        builder.model.setFetchRequestTemplate(named, forName: "PeopleWithLastName")
        let peers = NSFetchedPropertyDescription()
        peers.name = "peers"
        peers.userInfo = ["limit": 80]
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
        fetch.predicate = NSPredicate(
            format: "lastName == $FETCH_SOURCE.lastName AND SELF != $FETCH_SOURCE "
                + "AND $FETCHED_PROPERTY.name == 'peers' AND height < $FETCHED_PROPERTY.userInfo.limit")
        peers.fetchRequest = fetch
        builder["Employee"].properties.append(peers)
        return builder.model
    }

    private func people() throws -> Stack {
        let stack = try Stack(peopleModel(), kind: .inMemory)
        for (name, height) in [("Ames", 90), ("bell", 95), ("Cole", 85), ("Dunn", 70), ("Ames", 60)] {
            stack.context.insert("Employee", ["lastName": name, "height": height])
        }
        try stack.context.save()
        return stack
    }

    @Test("templates set in code are listed with entity, predicate, order and limit (MOD-31)")
    func templatesSetInCodeAreListed() throws {
        let templates = peopleModel().fetchRequestTemplatesByName
        #expect(templates.keys.sorted() == ["PeopleWithLastName", "canChangeLightBulb"])
        let tall = try #require(templates["canChangeLightBulb"])
        #expect(tall.entityName == "Employee")
        #expect(tall.predicate == NSPredicate(format: "height > 80"))
        #expect(tall.sortDescriptors?.first?.selector == "caseInsensitiveCompare:")
        #expect(tall.fetchLimit == 2)
    }

    @Test("a template is fetched, and its variables take values (MOD-31, FET-25)")
    func templateIsFetched() throws {
        let stack = try people()
        let tall = try #require(stack.model.fetchRequestTemplate(forName: "canChangeLightBulb"))
        let found = try stack.context.fetch(tall).compactMap { ($0 as? NSManagedObject)?.value(forKey: "lastName") }
        #expect(found as? [String] == ["Cole", "bell"])
        let ames = try #require(
            stack.model.fetchRequestFromTemplate(
                withName: "PeopleWithLastName", substitutionVariables: ["LAST_NAME": "Ames"]))
        #expect(try stack.context.fetch(ames).count == 2)
        #expect(stack.model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
    }

    @Test("a variable without a value makes the fetch fail (FET-25)")
    func missingVariableIsRefused() throws {
        let stack = try people()
        let request = try #require(stack.model.fetchRequestTemplate(forName: "PeopleWithLastName"))
        expectError(134060) { try stack.context.fetch(request) }
    }

    @Test func templateThatIsHandedOutIsACopy() throws {
        let model = peopleModel()
        model.fetchRequestTemplate(forName: "canChangeLightBulb")?.fetchLimit = 99
        #expect(model.fetchRequestTemplate(forName: "canChangeLightBulb")?.fetchLimit == 2)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        copy.setFetchRequestTemplate(nil, forName: "canChangeLightBulb")
        #expect(copy.fetchRequestTemplatesByName.count == 1)
        #expect(model.fetchRequestTemplatesByName.count == 2)
    }

    @Test("a fetched property set in code gives the objects of its fetch (MOD-30)")
    func fetchedPropertySetInCode() throws {
        let stack = try people()
        let ames = try stack.context.all("Employee", NSPredicate(format: "lastName == 'Ames'"))
        let peers = try #require(ames[0].value(forKey: "peers") as? [NSManagedObject])
        #expect(peers == [ames[1]])
    }

    @Test func templateCannotBeSetOnceTheModelIsInUse() async {
        await #expect(processExitsWith: .failure) {
            let model = NSManagedObjectModel()
            _ = NSPersistentStoreCoordinator(managedObjectModel: model)
            model.setFetchRequestTemplate(NSFetchRequest<NSManagedObject>(entityName: "E"), forName: "all")
        }
    }

    @Test func predicateThatCannotBeReadIsRefused() throws {
        let builder = ModelBuilder()
        builder.entity("Employee", ["height": .integer32AttributeType])
        builder.model.templatesByName["broken"] = FetchRequestTemplate(
            entityName: "Employee", predicateFormat: "height >")
        let stack = try Stack(builder.model, kind: .inMemory)
        let request = try #require(builder.model.fetchRequestTemplate(forName: "broken"))
        expectError(134060) { try stack.context.fetch(request) }
        request.predicate = NSPredicate(format: "height > 1")
        #expect(try stack.context.fetch(request).isEmpty)
    }
}
