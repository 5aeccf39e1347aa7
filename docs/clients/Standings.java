import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/**
 * A season file over JDBC: the standings, one player's score line by line and,
 * if a round, a board and a result are given, the standings with that corrected.
 *
 * java -cp sqlite-jdbc.jar Standings.java FILE PLAYER [ROUND BOARD RESULT]
 */
public class Standings {
    static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws SQLException {
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + args[0])) {
            standings(file);
            OUT.println();
            explain(file, args[1]);
            if (args.length > 2) {
                OUT.println();
                correct(file, Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[4]);
                standings(file);
            }
        } catch (SQLException refused) {
            OUT.println(refused.getMessage());
            System.exit(1);
        }
    }

    static void standings(Connection file) throws SQLException {
        String sql = "SELECT rank, name, value, score FROM current_standings"
            + " ORDER BY rank LIMIT 3";
        try (PreparedStatement query = file.prepareStatement(sql);
             ResultSet row = query.executeQuery()) {
            while (row.next()) {
                OUT.printf("%4d  %-10s %5s %8s%n", row.getInt("rank"), row.getString("name"),
                    number(row.getDouble("value")), number(row.getDouble("score")));
            }
        }
    }

    static void explain(Connection file, String player) throws SQLException {
        String sql = "SELECT e.* FROM explanation AS e JOIN current_standings AS s"
            + " ON s.tournament_id = e.tournament_id AND s.round_number = e.round_number"
            + " AND s.player_id = e.player_id WHERE e.name = ? ORDER BY e.played_in";
        try (PreparedStatement query = file.prepareStatement(sql)) {
            query.setString(1, player);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    String opponent = row.getString("opponent"); // null without a game
                    OUT.printf("%4s  %-10s %-10s %4s x %3s = %6s%n",
                        row.getInt("played_in") == 0 ? "" : row.getString("played_in"),
                        row.getString("kind"), opponent == null ? "" : opponent,
                        row.getString("factor"), number(row.getDouble("value")),
                        number(row.getDouble("points")));
                }
            }
        }
    }

    /** The file does the rest: every table from that round on is made anew. */
    static void correct(Connection file, int round, int board, String result)
            throws SQLException {
        String sql = "UPDATE round SET result = ? WHERE round_number = ? AND board = ?";
        try (PreparedStatement edit = file.prepareStatement(sql)) {
            edit.setString(1, result);
            edit.setInt(2, round);
            edit.setInt(3, board);
            OUT.printf("%d board corrected%n", edit.executeUpdate());
        }
    }

    static String number(double value) {
        return new DecimalFormat("0.###", new DecimalFormatSymbols(Locale.ROOT)).format(value);
    }
}
