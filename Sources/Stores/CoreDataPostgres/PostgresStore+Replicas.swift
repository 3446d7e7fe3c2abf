import PostgresKit

/// What replicas must have before they answer.
extension PostgresStore {
    /// The statements that follow a commit, so that replicas can be informed of its position; none without replicas.
    var positionQuestions: [PostgresStatement] { replicaPool == nil ? [] : [LogPosition.question] }

    /// Has all who read from replicas later see what the server has by now, of which a reader was informed.
    func requireOfReplicas() {
        guard let replicaPool else { return }
        let time = ContinuousClock.now
        let answer = try? session.connection.pipeline([LogPosition.question])
        replicaPool.require(LogPosition(answer?.first), askedAt: time)
    }
}
