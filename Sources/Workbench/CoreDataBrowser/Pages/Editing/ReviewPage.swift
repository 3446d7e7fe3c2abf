import CoreData

/// `GET /stores/{store}/edits/review`: what a save would do, as changed objects and as SQL statements.
struct ReviewPage: ViewPage {
    let route = Route("GET /stores/{store}/edits/review")
    private static let (shownObjects, shownStatements) = (1_000, 500)

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let access = call.access
        let session = try await call.session
        let answer = try await session.perform { session -> JSONValue in
            session.context.processPendingChanges()
            let changes = StagedChange.all(in: session.context, naming: session.names.name, access: access)
            let problems = EditProblems(session.names.name).all(in: session.context, access)
            var members: [(String, JSONValue)] = [
                ("objects", .array(changes.prefix(Self.shownObjects).map(\.json))), ("count", .count(changes.count)),
                ("problems", .array(problems)),
            ]
            // Statements contain the values of all properties, so only users who may read all properties get them.
            guard problems.isEmpty, mayReadAll(session.opened, access), session.context.hasChanges else {
                return .object(members + [("sql", .array([])), ("statements", .integer(0))])
            }
            do {
                let rehearsal = SaveRehearsal(of: session.context, in: session.opened.store)
                let (shown, count) = try rehearsal.statements(limit: Self.shownStatements) ?? ([], 0)
                members += [("sql", .array(shown.map { .string($0) })), ("statements", .count(count))]
            } catch {
                members += [
                    ("sql", .array([])), ("statements", .null), ("sqlProblem", .string(ErrorText.line(for: error))),
                ]
            }
            return .object(members)
        }
        return .json(answer)
    }

    private func mayReadAll(_ opened: ServedStore, _ access: BrowserAccess) -> Bool {
        opened.entities.allSatisfy { entity in
            access.may(.read, entity: entity)
                && entity.propertiesByName.keys.allSatisfy { access.may(.read, entity: entity, key: $0) }
        }
    }
}
