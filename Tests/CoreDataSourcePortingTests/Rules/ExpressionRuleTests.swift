import CoreDataSourcePorting
import Testing

@Suite struct ExpressionRuleTests {
    @Test(
        "#keyPath becomes its text",
        arguments: [
            ("#keyPath(Hero.name)", "\"name\""), ("#keyPath(name)", "\"name\""),
            ("#keyPath(Kit.Hero.powers.label)", "\"powers.label\""), ("#keyPath(Hero.`default`)", "\"default\""),
            ("\"\\(#keyPath(Hero.name)) == %@\"", "\"\\(\"name\") == %@\""),
            ("#keyPath(Hero.team . name)", "\"team.name\""),
        ])
    func keyPaths(_ source: String, _ expected: String) throws {
        let (text, findings) = try ported("let a = " + source)
        #expect(text == "let a = " + expected && findings.isEmpty)
    }

    @Test("the name that Objective-C has for a property is its key") func nameThatObjectiveCHasForPropertyIsItsKey()
        throws
    {
        let text = try ported("class A { @objc(isFavourite) var favourite = true }\nlet a = #keyPath(A.favourite)").text
        #expect(text.hasSuffix("let a = \"isFavourite\""))
    }

    @Test("a key path that says no key is left", arguments: ["NSManagedObject.isDeleted", "Hero", "Hero.self"])
    func unknownKeyPaths(_ path: String) throws {
        let (text, findings) = try ported("let a = 1\nlet b = #keyPath(\(path))")
        #expect(text == "let a = 1\nlet b = #keyPath(\(path))")
        #expect(findings.map(\.line) == [2] && findings.map(\.column) == [9])
    }

    @Test("selectors of comparisons keep their meaning, others are reported")
    func selectorsOfComparisonsKeepTheirMeaning() throws {
        let (text, findings) = try ported(
            """
            let a = #selector(NSString.localizedStandardCompare(_:))
            let b = #selector(NSString.compare(_:) as (NSString) -> (String) -> ComparisonResult)
            let c = #selector(A.run)
            """)
        #expect(
            text == """
                let a = NSSelectorFromString("localizedStandardCompare:")
                let b = NSSelectorFromString("compare:")
                let c = #selector(A.run)
                """)
        #expect(findings.map(\.line) == [3])
    }

    @Test("an observer by selector gets a twin by method") func observerBySelectorGetsTwinByMethod() throws {
        let (text, findings) = try ported(
            """
            final class Stack<T> {
                func start() {
                    center.addObserver(self, selector: #selector(took(_:)), name: nil, object: nil) // one
                    center.addObserver(other, selector: #selector(Other.run), name: .x, object: self)
                    center.addObserver(other, selector: #selector(run), name: .x, object: self)
                }
            }
            """)
        #expect(
            text == """
                final class Stack<T> {
                    func start() {
                        #if canImport(ObjectiveC)
                        center.addObserver(self, selector: #selector(took(_:)), name: nil, object: nil)
                        #else
                        center.addObserver(self, calling: Stack.took(_:), name: nil, object: nil)
                        #endif // one
                        #if canImport(ObjectiveC)
                        center.addObserver(other, selector: #selector(Other.run), name: .x, object: self)
                        #else
                        center.addObserver(other, calling: Other.run, name: .x, object: self)
                        #endif
                        center.addObserver(other, selector: #selector(run), name: .x, object: self)
                    }
                }
                """)
        #expect(findings.map(\.line) == [5])
    }

    @Test("imports of Apple's modules go behind a condition") func importsOfApplesModulesGoBehindCondition() throws {
        let (text, findings) = try ported("import CoreData\nimport os.log // logs\nimport class UIKit.UIColor\n")
        #expect(
            text == """
                import CoreData
                #if canImport(os)
                import os.log // logs
                #endif
                #if canImport(UIKit)
                import class UIKit.UIColor
                #endif

                """)
        #expect(findings.isEmpty)
    }
}
