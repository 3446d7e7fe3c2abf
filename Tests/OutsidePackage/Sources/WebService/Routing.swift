import Foundation

/// A request that a handler answers.
public struct Request: Sendable {
    public var method: String
    public var path: String
    public var query: [String: String]
    public var body: Data
}

/// What is sent back.
public struct Response: Sendable {
    public var status: Int
    public var body: Data

    public init(status: Int = 200, body: Data = Data()) {
        self.status = status
        self.body = body
    }
}

/// What answers requests; on any thread, many at once.
public typealias Handler = @Sendable (Request) async throws -> Response

/// Something around each handler.
public protocol Middleware: Sendable {
    func handle(_ request: Request, next: Handler) async throws -> Response
}

/// Handlers by method and path.
public struct Router: Sendable {
    private var handlers: [String: Handler] = [:]
    private var middleware: [any Middleware] = []

    public init() {}

    public mutating func add(_ layer: any Middleware) { middleware.append(layer) }
    public mutating func get(_ path: String, _ handler: @escaping Handler) { handlers["GET " + path] = handler }
    public mutating func post(_ path: String, _ handler: @escaping Handler) { handlers["POST " + path] = handler }

    public func respond(to request: Request) async -> Response {
        var handler: Handler = handlers["\(request.method) \(request.path)"] ?? { _ in Response(status: 404) }
        for layer in middleware.reversed() {
            let next = handler
            handler = { try await layer.handle($0, next: next) }
        }
        do {
            return try await handler(request)
        } catch {
            return Response(status: 500, body: Data("\(error)".utf8))
        }
    }
}
