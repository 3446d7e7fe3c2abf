import Catalogue
import Foundation
import WebService

/// Counts what passes.
actor Counter: Middleware {
    private(set) var count = 0

    nonisolated func handle(_ request: Request, next: Handler) async throws -> Response {
        await increase()
        return try await next(request)
    }

    private func increase() { count += 1 }
}

@main
enum Bookshop {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let requests = Int(arguments[2]) else {
            print("bookshop STORE REQUESTS")
            exit(64)
        }
        let catalogue = try Catalogue(at: URL(fileURLWithPath: arguments[1]))
        let counter = Counter()
        var router = Router()
        router.add(counter)
        router.get("/books") { request in
            Response(body: try JSONEncoder().encode(await catalogue.books(byAuthor: request.query["author"] ?? "")))
        }
        router.post("/books") { request in
            try await catalogue.add(JSONDecoder().decode(BookSummary.self, from: request.body))
            return Response(status: 201)
        }
        let listener = try Listener(router: router)
        print("port \(listener.port)")
        fflush(nil)
        try await listener.run(requests: requests)
        print("answered \(await counter.count)")
    }
}
