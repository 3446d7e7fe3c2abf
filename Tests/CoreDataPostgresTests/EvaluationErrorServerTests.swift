import CoreData
import StoreContract
import TestServers
import Testing

/// What a fetch throws for an expression that has no value is on a server what it is in the other stores.
@Suite(
    "Expressions without a value on a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server")
)
struct EvaluationErrorServerTests {
    @Test("an expression without a value is 134060 with a text, beside unsaved changes too (PRD-08, HAZ-53)")
    func expressionWithoutValue() throws {
        let url = try PostgresServer.shared.get().makeURL("expressions")
        let context = try Stack(HeroModel.make(), url: url, kind: .postgreSQL).context
        context.insert("Hero", ["name": "a", "secretIdentity": "(", "strength": 5])
        try context.save()
        let predicates = [
            ("name MATCHES '('", "the regular expression is not valid"),
            ("name MATCHES secretIdentity", "the regular expression is not valid"),
            ("strength BETWEEN {1, 2, 3}", "the right hand side of BETWEEN is not suitable"),
            ("strength IN 5", "the right hand side of IN is not suitable"), ("name + 1 == 2", "add:to: cannot use"),
            ("name == $unbound", "no value was given for the variable $unbound"), ("sum(name) == 1", "cannot use"),
            ("name BEGINSWITH strength", "BEGINSWITH cannot use"), ("abs(name) == 1", "abs: cannot use"),
            ("ANY name == 'a'", "ANY, ALL"),
        ]
        for isPending in [false, true] {
            if isPending { context.insert("Hero", ["name": "b", "secretIdentity": "(", "strength": 5]) }
            for (format, text) in predicates {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
                request.predicate = try NSPredicate(parsing: format)
                for isCount in [false, true] {
                    let error = #expect(throws: NSError.self, "\(format), \(isPending)") {
                        if isCount { _ = try context.count(for: request) } else { _ = try context.fetch(request) }
                    }
                    #expect(
                        error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError
                            && error?.localizedDescription.contains(text) == true, "\(format), \(isPending)")
                }
            }
        }
    }
}
