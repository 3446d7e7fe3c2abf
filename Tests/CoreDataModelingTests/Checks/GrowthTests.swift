import CAllocationCount
import CoreDataModeling
import Testing

/// The work for models with very many members, counted by the memory that it asks for and not timed.
@Suite(.enabled(if: coredata_allocated_bytes_of_this_thread() >= 0)) struct GrowthTests {
    /// What a model has many of.
    enum Members: CaseIterable {
        case attributes, indexes, constraints, entities, subentities, relationships, requests, configurations, repeated

        func text(_ count: Int) -> String {
            let attributes = join(count) { "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
            let big = { (further: String) in "<entity name=\"Big\">\(attributes)\(further)</entity>" }
            return switch self {
            case .attributes: big("")
            case .indexes:
                big(
                    join(count) {
                        #"<fetchIndex name="i\#($0)"><fetchIndexElement property="a\#($0)" type="Binary"/></fetchIndex>"#
                    })
            case .constraints:
                big(
                    "<uniquenessConstraints>"
                        + join(count) {
                            "<uniquenessConstraint><constraint value=\"a\($0)\"/></uniquenessConstraint>"
                        } + "</uniquenessConstraints>")
            case .entities:
                join(count) { "<entity name=\"E\($0)\"><attribute name=\"a\" attributeType=\"Date\"/></entity>" }
            case .subentities:
                "<entity name=\"Root\"/>" + join(count) { "<entity name=\"E\($0)\" parentEntity=\"Root\"/>" }
            case .relationships:
                "<entity name=\"One\">\(join(count) { relationship("r\($0)", "Other", "s\($0)") })</entity>"
                    + "<entity name=\"Other\">\(join(count) { relationship("s\($0)", "One", "r\($0)") })</entity>"
            case .requests:
                big("")
                    + join(count) { "<fetchRequest name=\"q\($0)\" entity=\"Big\" predicateString=\"a\($0) == 'x'\"/>" }
            case .configurations:
                join(count) { "<entity name=\"E\($0)\"/>" } + "<configuration name=\"C\">"
                    + join(count) { "<memberEntity name=\"E\($0)\"/>" } + "</configuration>"
            case .repeated: "<entity name=\"Big\">\(attributes)\(attributes)</entity>"
            }
        }

        private func join(_ count: Int, _ element: (Int) -> String) -> String {
            (0..<count).map(element).joined(separator: "\n")
        }

        private func relationship(_ name: String, _ destination: String, _ inverse: String) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"\(destination)\" "
                + "inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
        }
    }

    /// The bytes that this thread asks for while something runs.
    private func bytes(_ body: () throws -> Void) rethrows -> Int64 {
        let start = coredata_allocated_bytes_of_this_thread()
        try body()
        return coredata_allocated_bytes_of_this_thread() - start
    }

    private func work(_ members: Members, _ count: Int) throws -> Int64 {
        let source = SourceText.model(members.text(count))
        return try bytes {
            let findings = ModelCheck.findings(source: source)
            guard members != .repeated else {
                #expect(findings.count >= count)
                return
            }
            let model = try NSManagedObjectModel(source: source)
            #expect(model.entityVersionHashesByName.count == model.entities.count)
            let kept = try NSManagedObjectModel(cachedModel: model.cachedModel())
            #expect(kept.entities.count == model.entities.count)
        }
    }

    @Test(
        "checking, reading, hashing and writing a model of twice the size is about twice the work (MOD-28)",
        arguments: Members.allCases)
    func twiceTheSize(members: Members) throws {
        _ = try work(members, 50)
        let (once, twice) = (try work(members, 1_000), try work(members, 2_000))
        #expect(once > 1_000 && twice * 10 <= once * 26, "\(once) bytes, \(twice) bytes")
    }
}
