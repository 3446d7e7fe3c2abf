import Foundation
import TestBasics
import Testing

@Suite(.enabled(if: Debugger.isThere, "\(Debugger.missing)"), .serialized)
struct DebuggerTests {
    @Test("a condition stops at 16, an ignore count of 15 at the 16th hit, a logging breakpoint goes on (TEST-06)")
    func breakpointsStopWhereRecipesSay() throws {
        let output = try Debugger.session([
            "command script import \(Debugger.script)", "breakpoint set --name visit --condition 'number > 15'", "run",
            "frame variable -d no-run number", "breakpoint delete --force", "kill",
            "breakpoint set --name visit --ignore-count 15", "run", "frame variable -d no-run number",
            "breakpoint delete --force", "kill", "coredata-log visit number", "run",
        ])
        let stops = output.components(separatedBy: "\n").filter { $0.hasPrefix("(Int) number = ") }
        #expect(stops == ["(Int) number = 16", "(Int) number = 15"], "\(output.suffix(3_000))")
        let logged = output.components(separatedBy: "\n").filter { $0.hasPrefix("visit ") }
        #expect(logged.count == 30 && logged.first == "visit 1 number = 0" && logged.last == "visit 30 number = 29")
        #expect(output.contains("sum 870"))
    }

    @Test("an error of the library stops at the line that raised it; summaries and po fire no fault (TEST-07)")
    func errorsStopAndObjectsAreShown() throws {
        let output = try Debugger.session([
            "command script import \(Debugger.script)", "coredata-errors", "breakpoint set --name look", "run",
            "continue", "frame variable -d no-run fault read changed", "po fault", "po read", "continue",
        ])
        let source = try String(
            contentsOf: URL(fileURLWithPath: Debugger.script).deletingLastPathComponent()
                .appendingPathComponent("../../Tests/DebuggedChild/main.swift"), encoding: .utf8)
        let line = try #require(
            source.components(separatedBy: "\n").firstIndex {
                $0.contains("try context.save()") && $0.hasPrefix("        ")
            })
        #expect(
            output.contains("Core Data: raised by main.swift:\(line + 1) in saveInvalidObject()"),
            "\(output.suffix(4_000))")
        #expect(output.contains("code=1570"))
        for text in ["Hero/p1, fault", "Hero/p2, unchanged", "Hero/p3, changed", "data: <fault>", "name = Ann 1;"] {
            #expect(output.contains(text), "\(text): \(output.suffix(4_000))")
        }
        #expect(output.contains("fault true read false changed true"))
    }
}
