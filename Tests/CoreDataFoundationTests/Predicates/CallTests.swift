import CoreDataFoundation
import Testing

/// `FUNCTION($manager, "name:", …)`: calls on the objects of a migration.
struct CallTests {
    private final class Manager: CallAnswering {
        func answer(toCall name: String, arguments: [Any?]) throws -> Any? {
            guard name == "join:with:" else { throw ExpressionError.unknownFunction(name, suggestion: nil) }
            return arguments.map { "\($0 ?? "nil")" }.joined(separator: "+")
        }
    }

    @Test("a call is parsed, printed, made in code and archived alike, and its parts can be read (MIG-12)")
    func formsAreEqual() throws {
        let text = "FUNCTION($manager, \"join:with:\", $source.name, 3)"
        let parsed = try NSExpression(parsing: text)
        #expect(parsed.formatString == text && parsed.expressionType == .function && parsed.function == "join:with:")
        #expect(parsed.operand.variable == "manager" && parsed.arguments?.count == 2)
        let made = NSExpression(
            forFunction: NSExpression(forVariable: "manager"), selectorName: "join:with:",
            arguments: [NSExpression(forKeyPath: "$source.name"), 3])
        #expect(made == parsed)
        var builder = ArchiveBuilder()
        let root = try builder.expression(parsed)
        let archive = try KeyedArchive(builder.data(root: root))
        var reader = ArchivedPredicate(archive)
        #expect(try reader.expression(archive.root) == parsed)
        #expect(try NSPredicate(parsing: text + " == $x").variableNames == ["manager", "source", "x"])
    }

    @Test("a call is answered by the object that the variable stands for, and by no other (MIG-12)")
    func callIsAnswered() throws {
        let expression = try NSExpression(parsing: "FUNCTION($manager, \"join:with:\", $source.name, nil)")
        let variables: [String: Any] = ["manager": Manager(), "source": ["name": "Ann"]]
        #expect(try expression.value(on: nil, variables: variables) as? String == "Ann+nil")
        let unknown = try NSExpression(parsing: "FUNCTION($manager, \"delete\")")
        #expect(throws: ExpressionError.self) { try unknown.value(on: nil, variables: variables) }
        for other in ["manager": "text", "entityPolicy": Manager()] as [String: Any] {
            #expect(throws: ExpressionError.self) { try expression.value(on: nil, variables: [other.key: other.value]) }
        }
        let bound = try NSPredicate(parsing: "FUNCTION($manager, \"join:with:\", $x, 1) == '2+1'")
            .withSubstitutionVariables(["x": 2])
        #expect(try evaluation(of: bound, on: nil, variables: variables))
    }

    @Test("any other variable is the first argument of a predefined function, as before (MIG-12)")
    func otherVariablesAreArguments() throws {
        let sum = try NSExpression(parsing: "FUNCTION($x, \"add:to:\", 3)")
        #expect(try sum.value(on: nil, variables: ["x": 4]) as? Int == 7)
        #expect(throws: PredicateParseError.self) { try NSExpression(parsing: "FUNCTION($x, \"join:with:\", 3)") }
    }
}
