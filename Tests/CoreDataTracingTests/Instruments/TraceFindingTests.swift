import CoreData
import CoreDataTracing
import StoreContract
import Testing

/// What is found in recordings of small programs, each run on the real library.
@Suite(.serialized) struct TraceFindingTests {
    private func described(_ findings: [TraceFinding]) -> String {
        findings.map { "\($0.kind) \($0.entity) \($0.key ?? ""): \($0.text)" }.joined(separator: "; ")
    }

    @Test(
        "faults planted in a program are found with their cures, and no others (BRW-43, BRW-44)",
        arguments: PlantedPrograms.all)
    func plantedFaultIsFound(program: RecordedProgram) throws {
        let trace = try program.recorded()
        #expect(trace.isComplete && trace.dropped == 0 && trace.notes == [])
        let findings = TraceReport(trace, symbols: TraceSymbols()).findings
        let found = Set(findings.map { RecordedProgram.Expectation(kind: $0.kind, entity: $0.entity, key: $0.key) })
        #expect(found == Set(program.expected), "\(described(findings))")
        #expect(findings.allSatisfy { !$0.cure.isEmpty && $0.code?.isEmpty == false && $0.stack > 0 })
    }

    @Test("nothing is found in programs without a fault (BRW-43, BRW-44)", arguments: CleanPrograms.all)
    func cleanProgramHasNoFinding(program: RecordedProgram) throws {
        let trace = try program.recorded()
        #expect(!trace.records.isEmpty)
        let findings = TraceReport(trace, symbols: TraceSymbols()).findings
        #expect(findings.isEmpty, "\(described(findings))")
    }

    @Test(
        "a full scan that no index can prevent is a finding that says which conditions indexes serve (BRW-44)",
        arguments: ["title CONTAINS '299'", "title CONTAINS '2999' OR isbn == 'isbn-3'", "title MATCHES '.*2999'"])
    func scanThatNoIndexPrevents(condition: String) throws {
        let program = RecordedProgram(condition) { stack in
            _ = try stack.context.found("Book") { $0.predicate = NSPredicate(format: condition) }
        }
        let findings = TraceReport(try program.recorded(), symbols: TraceSymbols()).findings
        #expect(findings.map(\.kind) == [.fullScan] && findings.first?.code == nil, "\(described(findings))")
        #expect(findings.first?.cure.contains("BEGINSWITH") == true)
    }

    @Test func thereAreTwentyOfEach() {
        #expect(PlantedPrograms.all.count == 20)
        #expect(CleanPrograms.all.count >= 20)
    }

    @Test("a fault of a program that runs several times is found once (BRW-43)")
    func repeatedFaultIsOneFinding() throws {
        let program = RecordedProgram("the same list three times") { stack in
            for _ in 0..<3 {
                let context = stack.newContext()
                for author in try context.found("Author") { _ = author.members("books").count }
            }
        }
        let findings = TraceReport(try program.recorded(), symbols: TraceSymbols()).findings
        #expect(findings.map(\.count) == [180] && findings.first?.text.contains("After 3 fetches") == true)
    }

    @Test("the prefetch that a finding names makes it one question (BRW-43)")
    func curedProgramAsksOnce() throws {
        func statements(_ paths: [String]) throws -> Int {
            let program = RecordedProgram("authors of books") { stack in
                let books = try stack.context.found("Book") {
                    $0.fetchLimit = 50
                    $0.relationshipKeyPathsForPrefetching = paths
                }
                for book in books { _ = book.target("author")?.value(forKey: "name") }
            }
            let trace = try program.recorded()
            return trace.records.count { trace.text($0.detail).contains("FROM ZAUTHOR") }
        }
        let (before, after) = (try statements([]), try statements(["author"]))
        #expect(before == 50 && after == 1, "\(before) and \(after)")
    }
}
