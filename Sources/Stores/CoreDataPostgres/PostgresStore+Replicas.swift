import PostgresKit

/// Requirements on replicas.
extension PostgresStore {
    /// The statements that follow a commit to find its position in the log, for replicas; empty without replicas.
    var positionQuestions: [PostgresStatement] { replicaPool == nil ? [] : [LogPosition.question] }

    /// Makes all later reads from replicas see what the primary server has committed so far.
    func requireOfReplicas() {
        guard let replicaPool else { return }
        let time = ContinuousClock.now
        let answer = try? session.connection.pipeline([LogPosition.question])
        replicaPool.require(LogPosition(answer?.first), askedAt: time)
    }
}
