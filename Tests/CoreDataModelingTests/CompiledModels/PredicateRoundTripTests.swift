import CoreDataModeling
import TestBasics
import Testing

/// Predicates of models and predicates of applications have one archived form.
struct PredicateRoundTripTests {
    @Test("a template with variables is the same after the model's source, its compiled form and an archive (PRD-32)")
    func templatesWithVariables() throws {
        let format =
            "name BEGINSWITH[cd] $START AND (birthday < $LATEST OR SUBQUERY(powers, $p, $p != $POWER).@count > 1)"
        let expected = try NSPredicate(parsing: format)
        let model = PeopleModel().model
        model.templatesByName["search"] = FetchRequestTemplate(entityName: "Person", predicateFormat: format)
        let source = try ModelDocument.describing(model).document.makeModel().model
        let compiled = try NSManagedObjectModel(compiled: source.compiledData())
        for template in [source, compiled].map({ $0.templatesByName["search"] }) {
            let predicate = try NSPredicate(parsing: try #require(template?.predicateFormat))
            #expect(predicate == expected)
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
            let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
            #expect(copy == expected && copy?.variableNames == ["START", "LATEST", "POWER"])
        }
    }

    @Test(
        "every predicate in the models that Apple's tools compiled is read, and written key by key alike (PRD-32)",
        .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)), .timeLimit(.minutes(20)))
    func predicatesOfApple() throws {
        var count = 0
        for path in FixtureSupport.paths(endingIn: ".mom") where !path.contains("freecoredata") {
            let archive = try KeyedArchive(Data(contentsOf: Fixtures.url(path)))
            for index in archive.objects.indices {
                let place = PropertyList.uid(index)
                guard let object = archive.object(place),
                    object.className.hasSuffix("Predicate"), object.className != "NSPredicate"
                else { continue }
                var reader = ArchivedPredicate(archive)
                let predicate = try reader.predicate(place)
                let written = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
                #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: written) == predicate)
                let copy = try KeyedArchive(written)
                let fields = try #require(copy.object(copy.root)?.fields)
                #expect(Set(fields.keys) == Set(object.fields.keys), "\(path)")
                count += 1
            }
        }
        print("PRD-32: \(count) predicates of compiled models")
        #expect(count >= 6)
    }
}
