import CoreDataSQL
import PostgresKit

/// The location of a store, given by a `postgresql://` URL: a server, a database, and a schema in it.
///
/// The URL has libpq's format with three additional parameters: `schema`, the name of the schema, by default
/// `coredata`; `pgbouncer=true` for a connection pooler that may use another connection for each transaction, so that
/// statements cannot be prepared; and `sqlrole`, the role that executes SQL statements written by people. As in other
/// libpq programs, environment variables, service files and password files apply. Source: PostgreSQL 15 documentation,
/// section 34.1.
struct PostgresLocation: Sendable {
    static let schemes: Set<String> = ["postgresql", "postgres"]
    private static let defaultSchema = "coredata"
    /// The maximum length of a name in bytes; the server silently truncates longer ones.
    static let longestName = 63

    private(set) var parameters: ConnectionParameters
    /// Whether the URL names several hosts, of which one accepts writes.
    private(set) var hasSeveralHosts: Bool
    let schema: String
    /// Whether statements can be prepared, as each connection stays with the same server session.
    let preparesStatements: Bool
    /// The role that executes SQL statements written by people; nil for the URL's user.
    let statementRole: String?
    /// The URL without its password, for messages.
    let publicURL: URL

    /// - Throws: `NSPersistentStoreOpenError` saying what is wrong with the URL.
    init(_ url: URL) throws {
        RoundTripReporting.install()
        guard let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            throw Self.refusal(url, "its URL does not begin with postgresql://", hint: "Give a postgresql:// URL.")
        }
        var text = url.absoluteString
        let schemas = Self.take("schema", from: &text)
        schema = schemas.last ?? Self.defaultSchema
        preparesStatements = Self.take("pgbouncer", from: &text).last != "true"
        statementRole = Self.take("sqlrole", from: &text).last
        publicURL = url.withoutPasswords
        guard !schema.isEmpty, schema.utf8.count <= Self.longestName, !schema.utf8.contains(0) else {
            throw Self.refusal(
                publicURL, "the name of its schema is empty or longer than \(Self.longestName) bytes",
                hint: "Give another name after ?schema=.")
        }
        do {
            let given = try ConnectionParameters(url: text)
            parameters = Self.completed(given)
            hasSeveralHosts = Self.hosts(given).count > 1
        } catch {
            throw Self.refusal(publicURL, error.message, hint: "See section 34.1.1.2 of PostgreSQL's documentation.")
        }
    }

    /// Connects to the server, or to the first of several hosts that meets the URL's requirements. The connection
    /// checks whether the server is alive after `silence` without data from it.
    func connect(
        timeout: Duration, silence: Duration = PostgresSettings.usualSilence
    ) throws(PostgresError) -> PostgresConnection {
        let connection = try HostSearch(parameters).open(timeout: timeout)
        connection.usesPreparedStatements = preparesStatements
        connection.watchedName = "\(connection.databaseName)|\(schema)"
        do throws(PostgresError) {
            try connection.checkLiveness(
                after: silence, of: parameters, timeout: timeout, identifies: preparesStatements)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// The locations of the individual hosts, each accepted only while it is a replica; empty if the URL names one
    /// host.
    var replicas: [PostgresLocation] {
        let hosts = parameters.ofEachHost
        guard hosts.count > 1 else { return [] }
        return hosts.map { host in
            var location = self
            location.parameters = host
            location.parameters.set("target_session_attrs", "standby")
            location.hasSeveralHosts = false
            return location
        }
    }

    /// Connects with the role for SQL statements written by people; libpq finds the password of another role in its own
    /// files.
    func connectForStatements(timeout: Duration) throws(PostgresError) -> PostgresConnection {
        var parameters = parameters
        if let statementRole {
            parameters.set("user", statementRole)
            parameters.remove("password")
        }
        return try HostSearch(parameters).open(timeout: timeout)
    }

    /// What only one program at a time may do with a store.
    enum Lock: Int {
        /// Creating or changing the tables.
        case shape = 0
        /// Creating or updating the tables of the history.
        case history = 1
        /// Migrating the store to another version, in any number of steps.
        case migration = 2
    }

    /// Returns the statement that waits for a lock and holds it until the end of its transaction.
    func lock(_ lock: Lock) -> PostgresStatement {
        PostgresStatement(
            "SELECT pg_advisory_xact_lock(hashtextextended($1::text, \(lock.rawValue)))", [.text(schema)])
    }

    /// Adds the client encoding, a fallback application name, and defaults for parameters that are not set.
    ///
    /// The defaults are TCP keepalives, the writable one of several hosts, and `sslmode=verify-full` for a server on
    /// another machine.
    private static func completed(_ given: ConnectionParameters) -> ConnectionParameters {
        var parameters = given
        parameters.set("fallback_application_name", "OpenCoreData")
        parameters.set("client_encoding", "UTF8")
        let environment = ProcessInfo.processInfo.environment
        let hosts = hosts(given)
        if hosts.count > 1, given["target_session_attrs"] == nil, environment["PGTARGETSESSIONATTRS"] == nil {
            parameters.set("target_session_attrs", "read-write")
        }
        for (keyword, value) in HostSearch.keepalives(ofSeveral: hosts.count > 1) where given[keyword] == nil {
            parameters.set(keyword, value)
        }
        let isOfThisMachine = hosts.allSatisfy { isLocal(String($0)) } && given["service"] == nil
        if !isOfThisMachine, given["sslmode"] == nil, environment["PGSSLMODE"] == nil {
            parameters.set("sslmode", "verify-full")
        }
        return parameters
    }

    private static func hosts(_ given: ConnectionParameters) -> [Substring] {
        let named = given["host"] ?? given["hostaddr"] ?? ProcessInfo.processInfo.environment["PGHOST"] ?? ""
        return named.split(separator: ",")
    }

    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Removes a parameter from the query of a URL, and returns its values.
    private static func take(_ name: String, from text: inout String) -> [String] {
        guard let mark = text.firstIndex(of: "?") else { return [] }
        var values: [String] = []
        let kept = text[text.index(after: mark)...].split(separator: "&").filter { item in
            guard item == name || item.hasPrefix(name + "=") else { return true }
            values.append(String(item.dropFirst(name.count + 1)).removingPercentEncoding ?? "")
            return false
        }
        text = text[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return values
    }

    /// Returns the URL of another schema in the same database.
    static func url(_ url: URL, schema: String) -> URL {
        var text = url.absoluteString
        _ = take("schema", from: &text)
        let name = schema.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? schema
        return URL(string: text + (text.contains("?") ? "&" : "?") + "schema=\(name)") ?? url
    }

    static func refusal(_ url: URL, _ reason: String, hint: String) -> NSError {
        let place = url.withoutPasswords.absoluteString
        return CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(place)' cannot be opened: \(reason).", reason: reason, hint: hint)
    }
}
